import { createEventQueue } from './event-queue.ts';

/**
 * Streams the events of some work, and then its final ones. A reader that stops early ends the work.
 *
 * @param work must not reject
 */
export async function* streamWork<Event>(
  signal: AbortSignal,
  work: (tell: (event: Event) => void, signal: AbortSignal) => Promise<readonly Event[]>,
): AsyncGenerator<Event, void, void> {
  const queue = createEventQueue<Event>();
  const left = new AbortController();
  const ended = work((event) => queue.push(event), AbortSignal.any([signal, left.signal])).finally(() =>
    queue.end(),
  );
  try {
    yield* queue.items();
    yield* await ended;
  } finally {
    left.abort();
  }
}
