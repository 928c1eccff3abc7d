/**
 * Hears a stream of an SDK to its end. Null, or what the API's side threw; what `hear` throws is ours, and is thrown on.
 * Leaving early closes the connection.
 */
export async function listenTo<Event>(
  open: () => Promise<AsyncIterable<Event>>,
  hear: (event: Event) => void,
): Promise<{ readonly error: unknown } | null> {
  let isOurs = false;
  try {
    for await (const event of await open()) {
      isOurs = true;
      hear(event);
      isOurs = false;
    }
    return null;
  } catch (error) {
    if (isOurs) throw error;
    return { error };
  }
}
