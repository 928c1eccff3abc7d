/**
 * The stream of a client as 003 promises it, whatever the client does: exactly one terminal event and nothing after it, its
 * text being what was said (X003-3, X003-4). A client that is slow to notice an abort is not waited for (X003-7).
 */
import { providerErrorText } from '../../errors/provider-error.ts';
import {
  isTerminal,
  type ProviderEvent,
  type ProviderFailure,
  type TerminalEvent,
} from './provider-event.ts';
import { toFailure } from './client-failure.ts';
import { readProviderEvent } from './provider-event-schema.ts';

/** `start` is not called where the signal is aborted already. What is none of the ten events is left out. */
export async function* lawfulStream(
  start: () => AsyncIterable<unknown>,
  signal: AbortSignal = neverAborted,
): AsyncGenerator<ProviderEvent, void, void> {
  let text = '';
  const stop = watchAbort(signal);
  let iterator: AsyncIterator<unknown> | null = null;
  const abort = (): ProviderEvent => ({ type: 'aborted', text, reason: 'user_abort' });
  try {
    for (;;) {
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
      // A client that cannot stream says all at the end (X003-13).
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
  return event.type === 'error' ? event : { ...event, text };
}

/** Not waited for: a generator that is stuck never answers, and what it throws now concerns nobody. */
function leave(iterator: AsyncIterator<unknown> | null): void {
  iterator?.return?.().catch(() => undefined);
}

interface AbortWatch {
  readonly aborted: Promise<'aborted'>;
  forget(): void;
}

function watchAbort(signal: AbortSignal): AbortWatch {
  const listening = new AbortController();
  const aborted = new Promise<'aborted'>((resolve) => {
    signal.addEventListener('abort', () => resolve('aborted'), { once: true, signal: listening.signal });
  });
  return { aborted, forget: () => listening.abort() };
}
