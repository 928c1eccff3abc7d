import type { CollabEvent } from '../../events/collab-event.ts';

/** A record of the journal on the wire; without a name, so that a browser's `onmessage` gets it. */
export function renderJournalFrame(event: CollabEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}
