/** The limits of one turn, counted from the moment of the request. */
import type { Clock } from '../../system/clock.ts';
import type { TurnLimits } from '../../config/settings.ts';
import { watchLimits, type LimitName, type Progress } from './watch-limits.ts';

export interface TurnWatch {
  /** Resolves when a limit is exceeded; never once the watch is stopped. */
  readonly passed: Promise<LimitName>;
  begun(): void;
  sawEvent(): void;
  /** Pauses all limits during this work, such as a question to a user. */
  pausedFor<Value>(work: () => Promise<Value>): Promise<Value>;
  stop(): void;
}

export function startWatch(limits: TurnLimits, clock: Clock): TurnWatch {
  const controller = new AbortController();
  const startedAt = clock.now();
  let progress: Progress = { startedAt, begunAt: null, lastEventAt: startedAt };
  let [pauses, pausedAt] = [0, 0];
  const current = (): Progress => (pauses === 0 ? progress : later(progress, clock.now() - pausedAt));
  const watched = watchLimits({ limits, clock, progress: current, signal: controller.signal });
  return {
    passed: watched.then((limit) => limit ?? new Promise<never>(() => undefined)),
    begun() {
      progress = { ...progress, begunAt: progress.begunAt ?? clock.now(), lastEventAt: clock.now() };
    },
    sawEvent() {
      progress = { ...progress, lastEventAt: clock.now() };
    },
    async pausedFor(work) {
      if (pauses === 0) pausedAt = clock.now();
      pauses += 1;
      try {
        return await work();
      } finally {
        const now = current();
        pauses -= 1;
        if (pauses === 0) progress = now;
      }
    },
    stop: () => controller.abort(),
  };
}

/** Shifts all times into the future. */
function later({ startedAt, begunAt, lastEventAt }: Progress, ms: number): Progress {
  return {
    startedAt: startedAt + ms,
    begunAt: begunAt === null ? null : begunAt + ms,
    lastEventAt: lastEventAt + ms,
  };
}
