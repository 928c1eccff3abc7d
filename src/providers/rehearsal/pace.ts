/** Silence of a scripted length, ended by the limits of the turn as a real agent's silence would be. */
import type { Clock } from '../../system/clock.ts';
import type { TurnLimits } from '../contract/contract.ts';

export interface Pace {
  /** Something was said: silence is counted from here. */
  said(): void;
  /** Waits; the limit that ends the turn meanwhile, or null. Rejects with the signal's reason when aborted. */
  wait(ms: number): Promise<'idle' | 'total' | null>;
}

export function createPace(limits: TurnLimits, clock: Pick<Clock, 'sleep'>, signal: AbortSignal): Pace {
  let [silentMs, elapsedMs, hasSpoken] = [0, 0, false];
  return {
    said() {
      [silentMs, hasSpoken] = [0, true];
    },
    async wait(ms) {
      const idleLeftMs = limits.idleMs - silentMs;
      const totalLeftMs = limits.totalMs * (hasSpoken ? 1.5 : 1) - elapsedMs;
      const waitMs = Math.min(ms, idleLeftMs, totalLeftMs);
      if (waitMs > 0) await sleep(clock, waitMs, signal);
      signal.throwIfAborted();
      [silentMs, elapsedMs] = [silentMs + waitMs, elapsedMs + waitMs];
      if (waitMs === ms) return null;
      return idleLeftMs <= totalLeftMs ? 'idle' : 'total';
    },
  };
}

async function sleep(clock: Pick<Clock, 'sleep'>, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
