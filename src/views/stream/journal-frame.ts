import type { CollabEvent } from '../../events/collab-event.ts';

/** Renders a record of the journal for the wire; without a name, so that a browser's `onmessage` receives it. */
export function renderJournalFrame(event: CollabEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}
