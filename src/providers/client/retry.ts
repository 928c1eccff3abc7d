/**
 * Retries a client's call (X003-14). Providers make one attempt; this is for callers without a retry policy. The runs of
 * `collab` have their own: the waiting rung of an exchange.
 */
import { isTransient } from '../../errors/provider-error.ts';
import type { Clock } from '../../system/clock.ts';
import type { ProviderEvent, ProviderFailure } from './provider-event.ts';
import { failureCode } from './client-failure.ts';
import { lawfulStream } from './lawful-stream.ts';

export interface RetryOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  readonly signal?: AbortSignal;
  /** Attempts after the first. Default 3. */
  readonly retries?: number;
  /** The first wait, doubled for each further one. Default 1000. */
  readonly baseMs?: number;
  /** Default 60,000. A provider that asks for a longer wait is not called again. */
  readonly longestMs?: number;
}

/** Streams the first call that succeeds, or the last one. Makes no further call once any output was shown. */
export async function* retryStream(
  start: () => AsyncIterable<unknown>,
  options: RetryOptions,
): AsyncGenerator<ProviderEvent, void, void> {
  const { clock, signal, retries = 3 } = options;
  for (let retry = 0; ; retry += 1) {
    let shown = false;
    let failure: ProviderFailure | null = null;
    for await (const event of lawfulStream(start, signal)) {
      if (event.type === 'error') failure = event;
      else {
        shown = true;
        yield event;
      }
    }
    if (failure === null) return;
    const waitMs = shown || retry === retries ? null : waitBefore(failure, retry, options);
    if (waitMs === null) return yield failure;
    try {
      await clock.sleep(waitMs, signal);
    } catch {
      // Only the caller's abort ends the sleep early.
      return yield { type: 'aborted', text: '', reason: 'user_abort' };
    }
  }
}

/**
 * Returns the wait before the next attempt; null if a further attempt makes no sense. Full jitter: anything up to the
 * exponential wait, so that callers do not retry at the same moment.
 */
export function waitBefore(
  failure: ProviderFailure,
  retry: number,
  { random, baseMs = 1000, longestMs = 60_000 }: Pick<RetryOptions, 'random' | 'baseMs' | 'longestMs'>,
): number | null {
  if (!(failure.retryable ?? isTransient(failureCode(failure)))) return null;
  const asked = failure.retry_after === undefined ? null : failure.retry_after * 1000;
  if (asked !== null) return asked > longestMs ? null : asked;
  return Math.floor(random() * Math.min(longestMs, baseMs * 2 ** retry));
}
