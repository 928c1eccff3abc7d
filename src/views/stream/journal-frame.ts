import type { JournalLine } from '../../engine/journal/journal-line.ts';

/** Renders a record of the journal for the wire; without a name, so that a browser's `onmessage` receives it. */
export function renderJournalFrame({ event, text }: JournalLine): string {
  return `id: ${event.seq}\ndata: ${text}\n\n`;
}
