/** Reads the spans of records, except for the run and its calls, before each one has its place in the tree. */
import type { CollabEvent } from '../../events/collab-event.ts';
import { sha256 } from '../../text/digest.ts';
import { microsOf } from '../micros-of.ts';
import { spanClosing, spanOpening, type Closing, type Opening } from './openings.ts';
import type { SpanDetail } from './trace-span.ts';

/** A span while it is read. */
export interface SpanDraft {
  readonly id: string;
  /** The record that opened it. */
  readonly seq: number;
  readonly step: string | undefined;
  readonly agentId: string;
  /** Microseconds since 1970. */
  readonly begunAt: number;
  endedAt: number | null;
  fault: string | null;
  detail: SpanDetail;
}

export interface ReadDrafts {
  readonly drafts: readonly SpanDraft[];
  /** The spans that one key opened, in order: a step has one for each attempt. */
  readonly byKey: ReadonlyMap<string, readonly SpanDraft[]>;
}

export function readDrafts(events: readonly CollabEvent[]): ReadDrafts {
  const drafts: SpanDraft[] = [];
  const byKey = new Map<string, SpanDraft[]>();
  const open = new Map<string, SpanDraft>();
  const lastSign = new Map<string, number>();
  for (const event of events) {
    const opening = spanOpening(event);
    if (opening !== null) begin(opening, event);
    const closing = spanClosing(event);
    if (closing !== null) close(closing, event);
    if (event.type === 'step.abandoned') abandon(event.step, event.reason ?? 'lost');
    else if (event.step !== undefined) lastSign.set(event.step, microsOf(event.ts));
  }
  return { drafts, byKey };

  function begin({ key, detail }: Opening, event: CollabEvent): void {
    const draft = draftOf(event, detail);
    drafts.push(draft);
    open.set(key, draft);
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [draft]);
    else same.push(draft);
  }

  function close({ key, fault, answeredBy }: Closing, event: CollabEvent): void {
    const draft = open.get(key);
    if (draft === undefined) return;
    open.delete(key);
    Object.assign(draft, { endedAt: microsOf(event.ts), fault });
    if (draft.detail.kind === 'question') draft.detail = { ...draft.detail, answeredBy: answeredBy ?? null };
  }

  /** A later process may record the loss of an attempt: it ended with its last sign. */
  function abandon(step: string, fault: string): void {
    for (const [key, draft] of open) {
      if (draft.step !== step) continue;
      Object.assign(draft, { endedAt: lastSign.get(step) ?? draft.begunAt, fault });
      open.delete(key);
    }
  }
}

export function draftOf(event: CollabEvent, detail: SpanDetail): SpanDraft {
  const { run_id: runId, seq, agent, ts } = event;
  return {
    id: spanId(runId, seq, detail),
    seq,
    step: event.step,
    agentId: agent.id,
    begunAt: microsOf(ts),
    endedAt: null,
    fault: null,
    detail,
  };
}

/** A record opens at most one span of each kind. */
export function spanId(runId: string, seq: number, { kind }: SpanDetail): string {
  return sha256(`${runId} ${seq} ${kind}`).slice(0, 16);
}
