/** The records of a run, gathered while it is driven, for what is told of it when it leaves. */
import { existsSync } from 'node:fs';
import type { CollabEvent } from '../../events/collab-event.ts';
import { readJournal } from './journal-reader.ts';
import { journalFile } from './journal.ts';

export interface HeardEvents {
  /** Each record after it was written. */
  push(event: CollabEvent): void;
  /** Whether this drive has recorded anything. */
  any(): boolean;
  /** All records so far, those of former drives too; pieces of text may be left out, whose whole follows. */
  all(): readonly CollabEvent[];
}

/** Only whoever drives the run may ask: the journal of somebody else grows meanwhile. */
export function hearEvents(runFolder: string): HeardEvents {
  const heard: CollabEvent[] = [];
  return {
    push(event) {
      if (event.type !== 'text.delta' && event.type !== 'thinking.delta') heard.push(event);
    },
    any: () => heard.length > 0,
    all() {
      return heard[0]?.seq === 1 ? heard : recordsSoFar(runFolder);
    },
  };
}

/** None where nothing was recorded yet. @throws CollabError `journal_corrupt`, `journal_version` */
export function recordsSoFar(runFolder: string): readonly CollabEvent[] {
  const file = journalFile(runFolder);
  return existsSync(file) ? readJournal(file).events : [];
}
