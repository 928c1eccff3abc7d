/** A clock that moves only when a test says so. */
import type { Clock } from './clock.ts';

export interface ManualClock extends Clock {
  /** Wakes, in their order, all sleepers that are due. */
  advance(ms: number): Promise<void>;
}

interface Sleeper {
  readonly dueAt: number;
  readonly wake: () => void;
}

export function createManualClock(startAt = Date.UTC(2026, 10, 21, 9, 30)): ManualClock {
  let now = startAt;
  const sleepers = new Set<Sleeper>();

  return {
    now: () => now,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const leave = (): void => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const wake = (): void => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const sleeper: Sleeper = { dueAt: now + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', leave);
      });
    },
    async advance(ms) {
      const end = now + ms;
      for (let next = earliest(sleepers); next !== null && next.dueAt <= end; next = earliest(sleepers)) {
        now = Math.max(now, next.dueAt);
        sleepers.delete(next);
        next.wake();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}

function earliest(sleepers: ReadonlySet<Sleeper>): Sleeper | null {
  return [...sleepers].toSorted((left, right) => left.dueAt - right.dueAt)[0] ?? null;
}

function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
