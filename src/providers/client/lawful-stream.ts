/**
 * Makes a client's stream obey specification 003, whatever the client does: exactly one terminal event with nothing
 * after it, and the streamed text as its text (X003-3, X003-4). Does not wait for a client that is slow to notice an
 * abort (X003-7).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventsAtOnce } from '../../config/waits.ts';
import { providerErrorText } from '../../errors/provider-error.ts';
import {
  isTerminal,
  type ProviderEvent,
  type ProviderFailure,
  type TerminalEvent,
} from './provider-event.ts';
import { toFailure, withWrittenFacts } from './client-failure.ts';
import { readProviderEvent } from './provider-event-schema.ts';

/**
 * Streams the valid events; anything other than the ten events is dropped. `start` is not called if the signal is already
 * aborted. A client that has many events at once does not block the event loop.
 */
export async function* lawfulStream(
  start: () => AsyncIterable<unknown>,
  signal: AbortSignal = neverAborted,
): AsyncGenerator<ProviderEvent, void, void> {
  let text = '';
  const stop = watchAbort(signal);
  let iterator: AsyncIterator<unknown> | null = null;
  const abort = (): ProviderEvent => ({ type: 'aborted', text, reason: 'user_abort' });
  try {
    for (let asked = 1; ; asked += 1) {
      if (asked % eventsAtOnce === 0) await nextTurn();
      if (signal.aborted) return yield abort();
      iterator ??= start()[Symbol.asyncIterator]();
      const next = await Promise.race([iterator.next(), stop.aborted]);
      if (next === 'aborted') return yield abort();
      const event = next.done === true ? brokenOff : readProviderEvent(next.value);
      if (event === null) continue;
      if (event.type === 'text_chunk') text += event.text;
      if (!isTerminal(event)) {
        yield event;
        continue;
      }
      // A client that cannot stream delivers all its text at the end (X003-13).
      if (event.type === 'complete' && text === '' && event.text !== '') {
        text = event.text;
        yield { type: 'text_chunk', text, is_follow_up: false };
      }
      return yield ended(event, text);
    }
  } catch (error) {
    yield signal.aborted ? abort() : toFailure(error);
  } finally {
    stop.forget();
    leave(iterator);
  }
}

const neverAborted = new AbortController().signal;

const brokenOff: ProviderFailure = {
  type: 'error',
  error: providerErrorText('network', 'the stream ended without a last event'),
  code: 'network',
  retryable: true,
};

function ended(event: TerminalEvent, text: string): TerminalEvent {
  return event.type === 'error' ? withWrittenFacts(event) : { ...event, text };
}

/** Closes the iterator without waiting: a stuck generator never answers, and its errors no longer matter. */
function leave(iterator: AsyncIterator<unknown> | null): void {
  iterator?.return?.().catch(() => undefined);
}

function watchAbort(signal: AbortSignal) {
  const listening = new AbortController();
  const aborted = new Promise<'aborted'>((resolve) => {
    signal.addEventListener('abort', () => resolve('aborted'), { once: true, signal: listening.signal });
  });
  return { aborted, forget: (): void => listening.abort() };
}
