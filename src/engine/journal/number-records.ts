/** Turns drafts into records: numbered without a gap, timed, and with the keys in the order of the schema. */
import {
  eventBodySchema,
  eventVersion,
  type CollabEvent,
  type EventBody,
  type EventType,
} from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { timestampOf } from '../../text/timestamp.ts';
import type { RecordDraft, RunEnvelope } from './journal.ts';

/** Returns a function that makes records of drafts; the first one has the number after `lastSeq`. */
export function numberRecords(
  envelope: RunEnvelope,
  past: readonly CollabEvent[],
  clock: Clock,
): (drafts: readonly RecordDraft[], lastSeq: number) => readonly CollabEvent[] {
  const belonging = belongingOf(envelope, past);
  return (drafts, lastSeq) =>
    drafts.map((draft, index) => toEvent(draft, belonging, lastSeq + index + 1, timestampOf(clock)));
}

/** A run stays in the conversation in which it was started, no matter which process continues it. */
function belongingOf(envelope: RunEnvelope, [first]: readonly CollabEvent[]): RunEnvelope {
  if (first === undefined) return envelope;
  return { ...envelope, conversationId: first.conversation_id, tenantId: first.tenant_id };
}

/** Orders the keys as the schema does: a reader that parses the record and renders it gets the same bytes. */
function toEvent(draft: RecordDraft, envelope: RunEnvelope, seq: number, ts: string): CollabEvent {
  const step = 'step' in draft.body ? draft.body.step : draft.step;
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
    ...(step === undefined ? {} : { step }),
    ...inSchemaOrder(draft.body),
  };
}

const bodyKeys: ReadonlyMap<EventType, readonly string[]> = new Map(
  eventBodySchema.options.map(({ shape }) => [shape.type.value, Object.keys(shape)]),
);

function inSchemaOrder(body: EventBody): EventBody;
function inSchemaOrder(body: Pick<EventBody, 'type'>): object {
  const values = new Map(Object.entries(body));
  const keys = (bodyKeys.get(body.type) ?? []).filter((key) => values.has(key));
  return Object.fromEntries(keys.map((key) => [key, values.get(key)]));
}
