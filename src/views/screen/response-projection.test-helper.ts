import type { CollabEvent } from '../../events/collab-event.ts';
import { createResponseProjection } from './response-projection.ts';
import type { Response } from './response.ts';

/** Returns all responses for a list of events. */
export function projectToResponses(events: Iterable<CollabEvent>): readonly Response[] {
  const projection = createResponseProjection();
  const responses: Response[] = [];
  for (const event of events) responses.push(...projection.push(event));
  return [...responses, ...projection.end()];
}
