import type { CollabEvent } from '../../events/collab-event.ts';

/** A record of a journal, with the text of its line. */
export interface JournalLine {
  readonly event: CollabEvent;
  /** Without the newline. */
  readonly text: string;
}

export function lineOf(event: CollabEvent): JournalLine {
  return { event, text: JSON.stringify(event) };
}
