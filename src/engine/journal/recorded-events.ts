/** Collects the records of a run while it is driven: one list for every reader, from the budget to the transcript. */
import { CollabError } from '../../errors/collab-error.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import { readJournal } from './journal-reader.ts';
import { journalFile } from './journal.ts';

export interface RecordedEvents {
  /** Starts the list with the records of former drives. */
  begin(past: readonly CollabEvent[]): void;
  /** Adds each record after it was written. */
  push(event: CollabEvent): void;
  /** Returns true if this drive has recorded anything. */
  any(): boolean;
  /**
   * Returns all records so far, including those of former drives; deltas may be missing if their complete text follows.
   */
  all(): readonly CollabEvent[];
}

/** Only for the process that drives the run, because another process could append to the journal meanwhile. */
export function collectRecords(runFolder: string): RecordedEvents {
  let records: CollabEvent[] = [];
  /** The number of records of former drives; null before the drive has begun. */
  let past: number | null = null;
  return {
    begin(events) {
      records = events.filter(isKept);
      past = records.length;
    },
    push(event) {
      if (isKept(event)) records.push(event);
    },
    any: () => past !== null && records.length > past,
    all: () => (past === null ? recordsSoFar(runFolder) : records),
  };
}

function isKept({ type }: CollabEvent): boolean {
  return type !== 'text.delta' && type !== 'thinking.delta';
}

/** Returns an empty list if nothing is recorded yet. @throws CollabError `journal_corrupt`, `journal_version` */
export function recordsSoFar(runFolder: string): readonly CollabEvent[] {
  try {
    return readJournal(journalFile(runFolder)).events;
  } catch (error) {
    if (error instanceof CollabError && error.code === 'run_not_found') return [];
    throw error;
  }
}
