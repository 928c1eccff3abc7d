/** Collects the records of a run while it is driven: one list for every reader, from the budget to the transcript. */
import { existsSync } from 'node:fs';
import type { CollabEvent } from '../../events/collab-event.ts';
import { readJournal } from './journal-reader.ts';
import { journalFile } from './journal.ts';

export interface RecordedEvents {
  /** Adds each record after it was written. */
  push(event: CollabEvent): void;
  /** Returns true if this drive has recorded anything. */
  any(): boolean;
  /**
   * Returns all records so far, including those of former drives; deltas may be missing if their complete text follows.
   */
  all(): readonly CollabEvent[];
}

/** Only for the process that drives the run: otherwise the journal would grow meanwhile. */
export function collectRecords(runFolder: string): RecordedEvents {
  const records: CollabEvent[] = [];
  return {
    push(event) {
      if (event.type !== 'text.delta' && event.type !== 'thinking.delta') records.push(event);
    },
    any: () => records.length > 0,
    all() {
      return records[0]?.seq === 1 ? records : recordsSoFar(runFolder);
    },
  };
}

/** Returns an empty list if nothing is recorded yet. @throws CollabError `journal_corrupt`, `journal_version` */
export function recordsSoFar(runFolder: string): readonly CollabEvent[] {
  const file = journalFile(runFolder);
  return existsSync(file) ? readJournal(file).events : [];
}
