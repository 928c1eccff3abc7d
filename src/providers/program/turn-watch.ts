/** The limits of one turn, counted from the moment of the request. */
import type { Clock } from '../../system/clock.ts';
import type { TurnLimits } from '../../config/settings.ts';
import { watchLimits, type LimitName, type Progress } from './watch-limits.ts';

export interface TurnWatch {
  /** Resolves when a limit is exceeded; never once the watch is stopped. */
  readonly passed: Promise<LimitName>;
  /** The agent has started the turn and sends its first request. Later calls do nothing. */
  begun(): void;
  /** The agent sends its model another request, such as the results of tools. */
  requested(): void;
  /** Part of the model's answer has arrived. */
  heardModel(): void;
  /** Any other sign of the agent. */
  sawEvent(): void;
  /** The model is asked again after this wait, which only the total limit counts. */
  waits(ms: number): void;
  /** Pauses all limits during this work, such as a question to a user. */
  pausedFor<Value>(work: () => Promise<Value>): Promise<Value>;
  stop(): void;
}

export function startWatch(limits: TurnLimits, clock: Clock): TurnWatch {
  const controller = new AbortController();
  const startedAt = clock.now();
  let progress: Progress = { startedAt, begunAt: null, requestedAt: null, lastEventAt: startedAt };
  let [pauses, pausedAt] = [0, 0];
  const current = (): Progress => (pauses === 0 ? progress : later(progress, clock.now() - pausedAt));
  const watched = watchLimits({ limits, clock, progress: current, signal: controller.signal });
  const request = (): void => {
    const now = clock.now();
    progress = { ...progress, begunAt: progress.begunAt ?? now, requestedAt: now, lastEventAt: now };
  };
  return {
    passed: watched.then((limit) => limit ?? new Promise<never>(() => undefined)),
    begun() {
      if (progress.begunAt === null) request();
    },
    requested: request,
    heardModel() {
      const now = clock.now();
      progress = { ...progress, begunAt: progress.begunAt ?? now, requestedAt: null, lastEventAt: now };
    },
    sawEvent() {
      progress = { ...progress, lastEventAt: clock.now() };
    },
    waits(ms) {
      progress = { ...progress, requestedAt: null, lastEventAt: clock.now() + ms };
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
function later({ startedAt, begunAt, requestedAt, lastEventAt }: Progress, ms: number): Progress {
  return {
    startedAt: startedAt + ms,
    begunAt: begunAt === null ? null : begunAt + ms,
    requestedAt: requestedAt === null ? null : requestedAt + ms,
    lastEventAt: lastEventAt + ms,
  };
}
