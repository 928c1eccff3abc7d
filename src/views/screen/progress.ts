import { heartbeatMs } from './heartbeat.ts';
import type { CollabEvent, CollabEventOf } from '../../events/collab-event.ts';
import type { Phase } from '../../tags/tags.ts';
import { onOneLine } from '../../text/one-line.ts';
import { neutralise } from '../../text/neutralise.ts';
import { renderCount, renderDuration } from '../../text/quantities.ts';
import {
  chunkOf,
  describeChunk,
  describeExchange,
  type NamedExchange,
  type PlannedChunk,
} from './chunk-names.ts';
import {
  describeAnswer,
  describeCache,
  describeEnd,
  describePhase,
  describePlan,
  describeRejection,
  describeVerdict,
} from './progress-lines.ts';

interface OpenExchange {
  readonly name: string;
  readonly sinceMs: number;
  readonly findings: number | null;
}

/**
 * Renders a review's progress for standard error: skipped files with the reason, a line per chunk, each repair. A resumed
 * run also passes its past events, so that chunks have their names; the caller drops those lines.
 */
export function createReviewProgress() {
  const open = new Map<string, OpenExchange>();
  let chunks: readonly PlannedChunk[] = [];
  let passes = 1;
  let settled = 0;
  let phase: Phase | null = null;
  let startedMs: number | null = null;
  let spokenMs = 0;

  function exchangeOf(id: string, event: CollabEvent): OpenExchange {
    const known = open.get(id);
    if (known !== undefined) return known;
    const chunk = chunkOf(chunks, id);
    const name = chunk === null ? describeExchange(id) : describeInChunk(chunk);
    const begun = { name, sinceMs: Date.parse(event.ts), findings: null };
    open.set(id, begun);
    return begun;
  }

  function describeInChunk({ index, pass }: NamedExchange): string {
    return `${describeChunk(chunks, index)}${pass === null ? '' : `, ${pass}`}`;
  }

  function close(id: string, ended: CollabEvent & CollabEventOf<'exchange.ended'>): string {
    const exchange = exchangeOf(id, ended);
    open.delete(id);
    if (ended.outcome === 'settled') settled += 1;
    const tookMs = Date.parse(ended.ts) - exchange.sinceMs;
    return `${exchange.name} … ${describeEnd(ended, tookMs, exchange.findings)}`;
  }

  function ofExchange(id: string, event: CollabEvent): readonly string[] {
    const exchange = exchangeOf(id, event);
    const { name } = exchange;
    if (event.type === 'exchange.sent') return describeCache(event).map((text) => `${name}: ${text}`);
    if (event.type === 'exchange.received') open.set(id, { ...exchange, findings: event.issues ?? null });
    if (event.type === 'exchange.rejected') return describeRejection(event).map((text) => `${name}: ${text}`);
    if (event.type === 'exchange.asked_back') return [`${name}: asked back: ${event.text}`];
    if (event.type === 'exchange.answered_back' && event.declined !== undefined) {
      return [`${name}: its question was declined: ${event.declined}`];
    }
    if (event.type === 'error' && event.kind === 'cancelled') return [`${name}: ${event.message}`];
    return event.type === 'exchange.ended' ? [close(id, event)] : [];
  }

  function linesOf(event: CollabEvent): readonly string[] {
    if (event.type === 'review.planned') {
      chunks = event.chunks;
      passes = event.lenses?.length ?? 1;
      settled = 0;
      return describePlan(event);
    }
    if (event.type === 'phase.started') phase = event.phase;
    if (event.type === 'phase.started' || event.type === 'phase.ended') return [describePhase(event)];
    if (event.type === 'finding.judged') return [describeVerdict(event)];
    if (event.type === 'question.answered') return [describeAnswer(event)];
    if (event.type === 'coverage' && event.status === 'failed') {
      return [`not reviewed ${event.path}: ${event.reason ?? 'its exchange did not settle'}`];
    }
    return event.exchange_id === undefined ? [] : ofExchange(event.exchange_id, event);
  }

  function doing(): string {
    if (phase !== null && phase !== 'review') return `working on the ${phase}`;
    return chunks.length === 0 ? 'at work' : 'reviewing';
  }

  return {
    /** Returns the lines for an event, without line endings; most events have none. */
    push(event: CollabEvent): readonly string[] {
      startedMs ??= Date.parse(event.ts);
      const lines = linesOf(event).map((line) => onOneLine(neutralise(line)));
      if (lines.length > 0 || spokenMs === 0) spokenMs = Date.parse(event.ts);
      return lines;
    },
    /** Returns a sign of life after thirty seconds without output, else null. `nowMs` is Unix time. */
    heartbeat(nowMs: number): string | null {
      if (startedMs === null || nowMs - spokenMs < heartbeatMs) return null;
      spokenMs = nowMs;
      // Passes for what was missed are not planned.
      const planned = Math.max(chunks.length * passes, settled + open.size);
      const of = passes === 1 ? renderCount(chunks.length, 'chunk') : renderCount(planned, 'exchange');
      const total = doing() !== 'reviewing' ? '' : `${settled} of ${of} settled, `;
      const working = renderCount(open.size, 'exchange');
      return `still ${doing()}: ${total}${working} open, ${renderDuration(nowMs - startedMs)} so far`;
    },
  };
}
