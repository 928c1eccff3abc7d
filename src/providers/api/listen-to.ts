/**
 * Hears a stream of an SDK, or the whole answer as a list, to its end. Null, or what the API's side threw and whether the stream had been opened by then; what
 * `hear` throws is ours, and is thrown on.
 */
export async function listenTo<Event>(
  open: () => Promise<AsyncIterable<Event> | Iterable<Event>>,
  hear: (event: Event) => void,
): Promise<{ readonly error: unknown; readonly opened: boolean } | null> {
  let isOurs = false;
  let opened = false;
  try {
    const stream = await open();
    opened = true;
    for await (const event of stream) {
      isOurs = true;
      hear(event);
      isOurs = false;
    }
    return null;
  } catch (error) {
    if (isOurs) throw error;
    return { error, opened };
  }
}
