/** The clock that callers pass in: `main.ts` supplies the real one, tests advance their own. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since 1970, with a fraction. */
  now(): number;
  /** Rejects with the signal's reason if the signal fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest timer of Node; a longer sleep ends early, and its caller checks the clock again. */
const longestSleepMs = 2 ** 31 - 1;

export const systemClock: Clock = createSystemClock();

function createSystemClock(): Clock {
  let offset = performance.timeOrigin;
  return {
    now() {
      const drift = Date.now() - (offset + performance.now());
      // The monotonic clock stops while the machine sleeps.
      if (Math.abs(drift) > 50) offset += drift;
      return offset + performance.now();
    },
    async sleep(ms, signal) {
      try {
        await delay(Math.min(ms, longestSleepMs), undefined, signal === undefined ? {} : { signal });
      } catch (error) {
        throw signal?.aborted === true ? signal.reason : error;
      }
    },
  };
}
