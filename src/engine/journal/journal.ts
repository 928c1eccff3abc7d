/**
 * The append-only journal of a run, one `CollabEvent` a line, and the rules by which it survives `kill -9` and power
 * loss. The format version is in the first line: it is `run.started`, whose `v` decides for the file.
 */
import { join } from 'node:path';
import type { CollabEvent, EventAgent, EventBody, EventType } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { openToAppend, type AppendedFile } from '../../system/files/write.ts';
import { lineOf } from './journal-line.ts';
import { readJournal } from './journal-reader.ts';
import { numberRecords } from './number-records.ts';
import type { EventScope } from '../port.ts';

/** Fields that every record of a run shares. */
export interface RunEnvelope {
  readonly runId: string;
  readonly conversationId: string;
  readonly tenantId: string;
  /** The default agent when no scope names one. */
  readonly agent: EventAgent;
}

/** A record before it has a number and a time. */
export interface RecordDraft extends EventScope {
  readonly body: EventBody;
  readonly turn: number;
  readonly step?: string;
}

export interface Journal {
  readonly file: string;
  /** The records in the journal when it was opened. */
  readonly past: readonly CollabEvent[];
  /** Appends with one `write()`. Returns the written events. */
  append(drafts: readonly RecordDraft[]): readonly CollabEvent[];
  /** Returns when all commit points are on disk. @throws CollabError `file` */
  sync(): void;
  /** Syncs first. */
  close(): void;
}

export interface JournalOptions {
  readonly runFolder: string;
  readonly envelope: RunEnvelope;
  readonly clock: Clock;
  /** Called after each commit point is written; tests stop the process here. */
  readonly onCommit?: ((events: readonly CollabEvent[]) => void) | undefined;
}

const commitPoints: ReadonlySet<EventType> = new Set<EventType>([
  'run.started',
  'step.begun',
  'step.bound',
  'step.ended',
  'question.asked',
  'question.answered',
  'run.ended',
]);

/** Only for the holder of the run's lock: cuts off a torn last line. */
export function openJournal({ runFolder, envelope, clock, onCommit }: JournalOptions): Journal {
  const file = journalFile(runFolder);
  makeFolder(runFolder);
  const appended = openToAppend(file);
  const past = recover(appended, file);
  const number = numberRecords(envelope, past, clock);
  let lastSeq = past.length;
  let isSynced = true;
  const sync = (): void => {
    if (!isSynced) appended.sync();
    isSynced = true;
  };

  return {
    file,
    past,
    append(drafts) {
      const events = number(drafts, lastSeq);
      appended.append(events.map((event) => `${lineOf(event).text}\n`).join(''));
      lastSeq += events.length;
      if (drafts.some(isCommitPoint)) {
        isSynced = false;
        onCommit?.(events);
      }
      return events;
    },
    sync,
    close() {
      try {
        sync();
      } finally {
        appended.close();
      }
    },
  };
}

export function journalFile(runFolder: string): string {
  return join(runFolder, 'journal.jsonl');
}

export function isCommitPoint({ body }: RecordDraft): boolean {
  return commitPoints.has(body.type);
}

/** Returns the envelope of a run that has records. */
export function envelopeOf(first: CollabEvent): RunEnvelope {
  const { run_id: runId, conversation_id: conversationId, tenant_id: tenantId, agent } = first;
  return { runId, conversationId, tenantId, agent };
}

function recover(appended: AppendedFile, file: string): readonly CollabEvent[] {
  try {
    const { events, wholeBytes } = readJournal(file);
    appended.truncate(wholeBytes);
    return events;
  } catch (error) {
    appended.close();
    throw error;
  }
}
