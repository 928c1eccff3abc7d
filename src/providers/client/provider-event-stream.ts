import type { CollabEvent } from '../../events/collab-event.ts';
import { createModerator } from '../../views/screen/interleave.ts';
import type { ProviderEvent } from './provider-event.ts';
import { createProviderProjection } from './provider-projection.ts';
import { createSpeakers } from '../../events/speakers.ts';

export interface ProviderEventProjection {
  push(event: CollabEvent): readonly ProviderEvent[];
  /** Returns the last event if the run's events stop without `run.ended`. */
  end(): readonly ProviderEvent[];
}

/**
 * Projects a run as the stream of specification 003: only its own agent's actions, not those of other agents (requirements
 * B.3).
 */
export function createProviderEventProjection(): ProviderEventProjection {
  const moderator = createModerator();
  const speakers = createSpeakers();
  const projection = createProviderProjection();

  function project(event: CollabEvent): readonly ProviderEvent[] {
    speakers.note(event);
    if (event.type === 'run.ended') return close(event.status);
    return speakers.of(event) === null ? projection.push(event) : [];
  }

  function close(status: 'success' | 'error' | 'cancelled'): readonly ProviderEvent[] {
    switch (status) {
      case 'success':
        return projection.complete();
      case 'cancelled':
        return projection.abort();
      case 'error':
        return projection.fail();
    }
  }

  return {
    push: (event) => moderator.push(event).flatMap(project),
    end: () => [...moderator.end().flatMap(project), ...projection.fail()],
  };
}

/** Returns all events of a whole run. */
export function projectToProviderEvents(events: Iterable<CollabEvent>): readonly ProviderEvent[] {
  const projection = createProviderEventProjection();
  const projected: ProviderEvent[] = [];
  for (const event of events) projected.push(...projection.push(event));
  return [...projected, ...projection.end()];
}
