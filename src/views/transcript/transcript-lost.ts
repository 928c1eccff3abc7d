import type { CollabEvent } from '../../events/collab-event.ts';

/** Drops the events of an attempt that was lost with its process: a later attempt repeats them. */
export function withoutLostAttempts(events: readonly CollabEvent[]): readonly CollabEvent[] {
  const begunAt = new Map<string, number>();
  const lost = new Set<CollabEvent>();
  events.forEach((event, index) => {
    if (event.type === 'step.begun') begunAt.set(event.step, index);
    if (event.type !== 'step.abandoned' || event.reason === 'refused') return;
    for (const told of events.slice(begunAt.get(event.step) ?? index, index)) {
      if (told.step === event.step) lost.add(told);
    }
  });
  return events.filter((event) => !lost.has(event));
}
