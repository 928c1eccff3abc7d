import type { CollabEvent } from '../../events/collab-event.ts';
import { createResponseProjection } from './response-projection.ts';
import type { Response } from './response.ts';

/** Yields a run's events as the stream of specification 000 (R000-1). Ends after the Result. */
export async function* streamResponses(
  events: AsyncIterable<CollabEvent> | Iterable<CollabEvent>,
): AsyncGenerator<Response, void, void> {
  const projection = createResponseProjection();
  for await (const event of events) {
    for (const response of projection.push(event)) {
      yield response;
      if (response.type === 'result') return;
    }
  }
  yield* projection.end();
}
