// The waits of one step for GitHub: each is a line of the log, and their total is bounded (ADR 77).
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from './runner.mjs';

/** All waits of the step together, with the time of the attempts that failed. */
const mostWaitMs = 5 * 60_000;
const mostAttempts = 4;
const firstWaitMs = 1000;

/** Tests pass their own clock. */
export function createWaits({
  now = () => Date.now(),
  sleep = delay,
  tell = (line) => process.stdout.write(`${line}\n`),
} = {}) {
  let leftMs = mostWaitMs;
  return {
    now,
    /** Counts the time of a failed attempt, whether or not the request is repeated. */
    spend(ms) {
      leftMs -= ms;
    },
    /** Waits after a failed attempt; throws a `Refusal` if there is no other one. `waitMs` null: the API asked for no time. */
    async after(attempt, { message, waitMs }) {
      const ms = Math.max(waitMs ?? 0, firstWaitMs * 2 ** (attempt - 1));
      const seconds = Math.ceil(ms / 1000);
      if (attempt >= mostAttempts) throw new Refusal(`${message}, in ${attempt} attempts`);
      if (ms > leftMs) throw new Refusal(`${message}: run the job again in ${seconds} s`);
      leftMs -= ms;
      tell(`${message}; attempt ${attempt + 1} of ${mostAttempts} in ${seconds} s`);
      await sleep(ms);
    },
  };
}
