/** The waits of one command for a host: each is reported, and their total is bounded. */
import type { Clock } from '../system/clock.ts';
import { renderDuration } from '../text/quantities.ts';

/** All waits of one command together, with the time of the attempts that failed. */
const mostWaitMs = 5 * 60_000;
/** Attempts of one request, and of work whose last request may have been done. */
const mostAttempts = 4;
const firstWaitMs = 1000;

export interface WaitsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Prints a wait: one line, without its end. Default: none. */
  readonly tellWait?: ((line: string) => void) | undefined;
}

export interface Failure {
  /** Its reason, as a clause. */
  readonly why: string;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** The time that the host asks for; null if it asks for none. */
  readonly askedMs: number | null;
}

export interface Waits extends Pick<WaitsOptions, 'clock' | 'signal'> {
  /** Counts the time of a failed attempt, whether or not the request is repeated. */
  readonly spend: (spentMs: number) => void;
  /** Waits before the next attempt; returns false, at once, if there is none. */
  readonly waitAfter: (failure: Failure) => Promise<boolean>;
}

export function createWaits({ clock, signal, tellWait = () => undefined }: WaitsOptions): Waits {
  let leftMs = mostWaitMs;
  return {
    clock,
    signal,
    spend(spentMs) {
      leftMs -= spentMs;
    },
    async waitAfter({ why, attempt, askedMs }) {
      const waitMs = Math.max(askedMs ?? 0, firstWaitMs * 2 ** (attempt - 1));
      if (attempt >= mostAttempts || waitMs > leftMs) return false;
      leftMs -= waitMs;
      tellWait(`${why}; attempt ${attempt + 1} of ${mostAttempts} in ${renderDuration(waitMs)}`);
      await clock.sleep(waitMs, signal);
      return true;
    },
  };
}
