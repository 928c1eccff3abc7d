/** Time as `runs/`, `process/` and `server/` see it; `main.ts` gives the real one, tests a manual one. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since 1970, with a fraction. */
  now(): number;
  /** Rejects with the signal's reason when that comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export function createSystemClock(): Clock {
  let offset = performance.timeOrigin;
  return {
    now() {
      const drift = Date.now() - (offset + performance.now());
      // The monotonic clock stands still while the machine sleeps.
      if (Math.abs(drift) > 50) offset += drift;
      return offset + performance.now();
    },
    async sleep(ms, signal) {
      try {
        await delay(ms, undefined, signal === undefined ? {} : { signal });
      } catch (error) {
        throw signal?.aborted === true ? signal.reason : error;
      }
    },
  };
}

/** `2026-11-21T09:30:00.000000Z`: UTC, microseconds. */
export function timestampOf(clock: Clock): string {
  const now = clock.now();
  const micros = Math.floor((now - Math.floor(now)) * 1000);
  const iso = new Date(Math.floor(now)).toISOString();
  return `${iso.slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}
