/** The limits of one turn, running from the moment it was asked for. */
import type { Clock } from '../../system/clock.ts';
import type { TurnLimits } from '../contract/contract.ts';
import { watchLimits, type LimitName, type Progress } from './watch-limits.ts';

export interface TurnWatch {
  /** Settles when a limit is passed; never once the watch is stopped. */
  readonly passed: Promise<LimitName>;
  begun(): void;
  sawEvent(): void;
  /** While this work goes on, such as a question to a person, no limit runs. */
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

/** As if all had happened so much later. */
function later({ startedAt, begunAt, lastEventAt }: Progress, ms: number): Progress {
  return {
    startedAt: startedAt + ms,
    begunAt: begunAt === null ? null : begunAt + ms,
    lastEventAt: lastEventAt + ms,
  };
}
