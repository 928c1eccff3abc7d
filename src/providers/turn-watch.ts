/** The limits of one turn, running from the moment it was asked for. */
import type { Clock } from '../process/clock.ts';
import type { TurnLimits } from './contract.ts';
import { watchLimits, type LimitName, type Progress } from './watch-limits.ts';

export interface TurnWatch {
  /** Settles when a limit is passed; never once the watch is stopped. */
  readonly passed: Promise<LimitName>;
  begun(): void;
  sawEvent(): void;
  stop(): void;
}

export function startWatch(limits: TurnLimits, clock: Clock): TurnWatch {
  const controller = new AbortController();
  const startedAt = clock.now();
  let progress: Progress = { startedAt, begunAt: null, lastEventAt: startedAt };
  const watched = watchLimits({ limits, clock, progress: () => progress, signal: controller.signal });
  return {
    passed: watched.then((limit) => limit ?? new Promise<never>(() => undefined)),
    begun() {
      progress = { ...progress, begunAt: progress.begunAt ?? clock.now(), lastEventAt: clock.now() };
    },
    sawEvent() {
      progress = { ...progress, lastEventAt: clock.now() };
    },
    stop: () => controller.abort(),
  };
}
