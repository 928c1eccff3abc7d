/**
 * Reads a stream of an SDK, or a whole answer as a list, to its end. Returns null, or the error of the API's side and whether
 * the stream had been opened by then. Rethrows errors of `hear`.
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
