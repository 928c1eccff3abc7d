/** Builds the records of a journal: a test gives the body and the fields that matter to it. */
import type { CollabEvent, EventBody } from './collab-event.ts';

export type RecordEnvelope = Omit<CollabEvent, 'type'>;

/** A body with those parts of its envelope that matter to the test. */
export type RecordDraft = EventBody & Partial<RecordEnvelope>;

/** One record. The draft wins over `envelope`, which wins over the defaults. */
export function journalRecord(draft: RecordDraft, envelope: Partial<RecordEnvelope> = {}): CollabEvent {
  return {
    v: 1,
    run_id: 'run-1',
    seq: 1,
    ts: '2026-11-21T09:30:00.000000Z',
    conversation_id: 'run-1',
    tenant_id: 'local',
    agent: { id: 'advisor', role: 'advisor', provider: 'codex' },
    turn: 0,
    ...envelope,
    ...draft,
  };
}

/** Returns records numbered from 1, which share `envelope`. */
export function journalRecords(
  drafts: readonly RecordDraft[],
  envelope: Partial<RecordEnvelope> = {},
): readonly CollabEvent[] {
  return drafts.map((draft, index) => journalRecord(draft, { ...envelope, seq: index + 1 }));
}
