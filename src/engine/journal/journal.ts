/**
 * The append-only journal of a run, one `CollabEvent` a line, and the rules by which it survives `kill -9` and power
 * loss (DESIGN §5). The format version stands in the first line: it is `run.started`, whose `v` decides for the file.
 */
import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  eventVersion,
  type CollabEvent,
  type EventAgent,
  type EventBody,
  type EventType,
} from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { timestampOf } from '../../text/timestamp.ts';
import { syncFolder, writeAll } from '../../system/durable-file.ts';
import { readJournal } from './journal-reader.ts';

/** What every record of a run says about where it belongs. */
export interface RunEnvelope {
  readonly runId: string;
  readonly conversationId: string;
  readonly tenantId: string;
  /** Who speaks where no scope says otherwise. */
  readonly agent: EventAgent;
}

/** One record before it has a number and a time. */
export interface Draft {
  readonly body: EventBody;
  readonly turn: number;
  readonly step?: string;
  readonly agent?: EventAgent;
  readonly parentAgentId?: string;
  readonly exchangeId?: string;
}

export interface Journal {
  readonly file: string;
  /** What was there when the journal was opened. */
  readonly past: readonly CollabEvent[];
  /** One `write()`; synced when it holds a commit point. Returns what was written. */
  append(drafts: readonly Draft[]): readonly CollabEvent[];
  close(): void;
}

export interface JournalOptions {
  readonly runFolder: string;
  readonly envelope: RunEnvelope;
  readonly clock: Clock;
  /** Called after each commit point is on the disk; tests stop the process here. */
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

/** Only for the holder of the run's lock: a torn last line is cut off here. */
export function openJournal({ runFolder, envelope, clock, onCommit }: JournalOptions): Journal {
  const file = journalFile(runFolder);
  const past = existsSync(file) ? recover(file) : [];
  const descriptor = past.length > 0 ? openSync(file, 'a', 0o600) : createFile(file);
  const belonging = belongingOf(envelope, past);
  let lastSeq = past.length;

  return {
    file,
    past,
    append(drafts) {
      const events = drafts.map((draft, index) =>
        toEvent(draft, belonging, lastSeq + index + 1, timestampOf(clock)),
      );
      writeAll(descriptor, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      lastSeq += events.length;
      if (drafts.some(isCommitPoint)) {
        fdatasyncSync(descriptor);
        onCommit?.(events);
      }
      return events;
    },
    close() {
      closeSync(descriptor);
    },
  };
}

export function journalFile(runFolder: string): string {
  return join(runFolder, 'journal.jsonl');
}

export function isCommitPoint({ body }: Draft): boolean {
  return commitPoints.has(body.type);
}

/** A run stays in the conversation in which it began, whoever goes on with it. */
function belongingOf(envelope: RunEnvelope, [first]: readonly CollabEvent[]): RunEnvelope {
  if (first === undefined) return envelope;
  return { ...envelope, conversationId: first.conversation_id, tenantId: first.tenant_id };
}

function recover(file: string): readonly CollabEvent[] {
  const { events, wholeBytes } = readJournal(file);
  truncateSync(file, wholeBytes);
  return events;
}

function createFile(file: string): number {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const descriptor = openSync(file, 'a', 0o600);
  syncFolder(folder);
  syncFolder(dirname(folder));
  return descriptor;
}

function toEvent(draft: Draft, envelope: RunEnvelope, seq: number, ts: string): CollabEvent {
  return {
    v: eventVersion,
    run_id: envelope.runId,
    seq,
    ts,
    conversation_id: envelope.conversationId,
    tenant_id: envelope.tenantId,
    agent: draft.agent ?? envelope.agent,
    ...(draft.parentAgentId === undefined ? {} : { parent_agent_id: draft.parentAgentId }),
    turn: draft.turn,
    ...(draft.exchangeId === undefined ? {} : { exchange_id: draft.exchangeId }),
    ...(draft.step === undefined ? {} : { step: draft.step }),
    ...draft.body,
  };
}
