/** Plays a silence of scripted length, which the turn's limits end like a real agent's silence. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventsAtOnce } from '../../config/waits.ts';
import type { Clock } from '../../system/clock.ts';
import type { TurnLimits } from '../../config/settings.ts';

export interface Pace {
  /** Restarts the count of silence after an event. True after many events: then `turn` is due. */
  said(): boolean;
  /** Lets the event loop turn; rejects with the signal's reason when aborted. */
  turn(): Promise<void>;
  /** Waits. Returns the limit that ended the turn meanwhile, or null; rejects with the signal's reason when aborted. */
  wait(ms: number): Promise<'idle' | 'total' | null>;
}

export function createPace(limits: TurnLimits, clock: Pick<Clock, 'sleep'>, signal: AbortSignal): Pace {
  let [silentMs, elapsedMs, events] = [0, 0, 0];
  return {
    said() {
      [silentMs, events] = [0, events + 1];
      return events % eventsAtOnce === 0;
    },
    async turn() {
      await nextTurn();
      signal.throwIfAborted();
    },
    async wait(ms) {
      const idleLeftMs = limits.idleMs - silentMs;
      const totalLeftMs = limits.totalMs * (events > 0 ? 1.5 : 1) - elapsedMs;
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
