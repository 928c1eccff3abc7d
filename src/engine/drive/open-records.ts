/**
 * Tracks what steps have opened and not closed yet, so that a lost or abandoned attempt leaves nothing open (XB-2, XB-4,
 * XB-5).
 */
import type { CollabEvent, EventBody } from '../../events/collab-event.ts';
import type { RecordDraft } from '../journal/journal.ts';

type BodyOf<Type extends EventBody['type']> = Extract<EventBody, { type: Type }>;

interface OpenExchange {
  readonly attempts: number;
  /** The step whose attempt was sent and not settled; null when all are settled. */
  readonly sentBy: string | null;
}

export interface Openings {
  see(draft: RecordDraft): void;
  /** Ends the tools and agents that `step` left open, innermost first. */
  closersOf(step: string): readonly RecordDraft[];
  /** Ends everything that the attempt left open, then the attempt. */
  abandon(abandoned: Extract<EventBody, { type: 'step.abandoned' }>, turn: number): readonly RecordDraft[];
  /** Ends every exchange that was sent and has no end; call it after all abandoned attempts. */
  exchangeClosers(turn: number): readonly RecordDraft[];
}

export function createOpenings(past: readonly CollabEvent[]): Openings {
  const open = new Map<string, RecordDraft>();
  const exchanges = new Map<string, OpenExchange>();
  const see = (draft: RecordDraft): void => {
    seeOpener(open, draft);
    seeExchange(exchanges, draft);
  };
  for (const event of past) see(draftOf(event));

  const closersOf = (step: string): readonly RecordDraft[] =>
    [...open.values()]
      .filter((opener) => opener.step === step)
      .toReversed()
      .flatMap((opener) => closerOf(opener));

  return {
    see,
    closersOf,
    abandon(abandoned, turn) {
      const drafts = [...closersOf(abandoned.step), { body: abandoned, turn }];
      for (const draft of drafts) see(draft);
      return drafts;
    },
    exchangeClosers(turn) {
      return [...exchanges].flatMap(([exchangeId, exchange]) => endExchange(exchangeId, exchange, turn));
    },
  };
}

/** Returns the draft of this record. */
function draftOf(event: CollabEvent): RecordDraft {
  return {
    body: event,
    turn: event.turn,
    agent: event.agent,
    ...(event.step === undefined ? {} : { step: event.step }),
    ...(event.parent_agent_id === undefined ? {} : { parentAgentId: event.parent_agent_id }),
    ...(event.exchange_id === undefined ? {} : { exchangeId: event.exchange_id }),
  };
}

function seeOpener(open: Map<string, RecordDraft>, draft: RecordDraft): void {
  const { body } = draft;
  if (body.type === 'tool.call') open.set(`tool ${body.call_id}`, draft);
  if (body.type === 'tool.result') open.delete(`tool ${body.call_id}`);
  if (body.type === 'agent.started') open.set(`agent ${body.agent_id}`, draft);
  if (body.type === 'agent.ended') open.delete(`agent ${body.agent_id}`);
}

function seeExchange(exchanges: Map<string, OpenExchange>, { body, exchangeId, step }: RecordDraft): void {
  if (body.type === 'step.abandoned') forgetStep(exchanges, body.step);
  if (exchangeId === undefined) return;
  const known = exchanges.get(exchangeId);
  if (body.type === 'exchange.sent')
    exchanges.set(exchangeId, { attempts: body.attempt, sentBy: step ?? '' });
  if (known === undefined) return;
  if (body.type === 'exchange.received' || body.type === 'exchange.rejected') {
    exchanges.set(exchangeId, { ...known, sentBy: null });
  }
  if (body.type === 'exchange.ended') exchanges.delete(exchangeId);
}

function forgetStep(exchanges: Map<string, OpenExchange>, step: string): void {
  for (const [exchangeId, exchange] of exchanges) {
    if (exchange.sentBy !== step) continue;
    const attempts = exchange.attempts - 1;
    if (attempts === 0) exchanges.delete(exchangeId);
    else exchanges.set(exchangeId, { attempts, sentBy: null });
  }
}

function endExchange(exchangeId: string, exchange: OpenExchange, turn: number): readonly RecordDraft[] {
  const { attempts, sentBy } = exchange;
  const rejected: RecordDraft = {
    body: { type: 'exchange.rejected', reason: 'cut', detail: 'The run was cancelled.', action: 'exhausted' },
    turn,
    exchangeId,
  };
  const ended: RecordDraft = {
    body: { type: 'exchange.ended', outcome: 'exhausted', attempts },
    turn,
    exchangeId,
  };
  return sentBy === null ? [ended] : [rejected, ended];
}

function closerOf(opener: RecordDraft): readonly RecordDraft[] {
  const { body } = opener;
  if (body.type === 'tool.call') return [{ ...opener, body: lostResult(body) }];
  if (body.type === 'agent.started') return [{ ...opener, body: lostAgent(body) }];
  return [];
}

function lostResult({ call_id, name }: BodyOf<'tool.call'>): BodyOf<'tool.result'> {
  const content = 'The call was abandoned.';
  return { type: 'tool.result', call_id, name, content, is_error: true, duration_ms: 0 };
}

function lostAgent({ agent_id }: BodyOf<'agent.started'>): BodyOf<'agent.ended'> {
  return { type: 'agent.ended', agent_id, status: 'error' };
}
