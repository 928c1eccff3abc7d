import { setTimeout as delay } from 'node:timers/promises';

/** Time as something that is handed in, so that tests turn it by hand. */
export interface Clock {
  /** Milliseconds; only differences mean anything. */
  now(): number;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer of Node holds no more; a longer sleep ends early and its caller looks at the clock again. */
const longestSleepMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  async sleep(ms, signal) {
    await delay(Math.min(ms, longestSleepMs), undefined, signal === undefined ? {} : { signal });
  },
};
