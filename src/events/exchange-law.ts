/**
 * XB-5: each sent attempt of an exchange is received or rejected once, and each exchange ends once. A turn after an answered
 * reverse request continues its attempt.
 */
import type { CollabEvent } from './collab-event.ts';
import type { LawCheck, Violation } from './law-types.ts';

type ExchangeEvent = Extract<CollabEvent, { type: `exchange.${string}` }>;

/** The state of an exchange. */
interface Standing {
  readonly attempt: number;
  readonly phase: 'settled' | 'sent' | 'continued' | 'ended';
}

const phaseAfter = {
  'exchange.received': 'settled',
  'exchange.rejected': 'settled',
  'exchange.answered_back': 'continued',
  'exchange.ended': 'ended',
} as const;

export function createExchangeLaw(): LawCheck {
  const exchanges = new Map<string, ExchangeEvent[]>();
  return (event) => {
    if (event.type === 'step.abandoned') forgetStep(exchanges, event.step);
    if (event.type === 'run.ended') return unended(exchanges, event.seq);
    if (!isExchangeEvent(event)) return [];
    const id = event.exchange_id;
    if (id === undefined) return [violation(event.seq, `${event.type} names no exchange`)];
    const past = exchanges.get(id) ?? [];
    exchanges.set(id, [...past, event]);
    const message = breach(standingAfter(past), event);
    return message === null ? [] : [violation(event.seq, `exchange ${id}: ${message}`)];
  };
}

function breach({ phase, attempt }: Standing, event: ExchangeEvent): string | null {
  if (phase === 'ended') return `${event.type} follows its end`;
  const open = phase === 'sent' || phase === 'continued';
  if (event.type === 'exchange.ended') return open ? `it ends while attempt ${attempt} is open` : null;
  if (event.type !== 'exchange.sent')
    return open ? null : `${event.type} belongs to no attempt that was sent`;
  if (phase === 'sent') return `attempt ${attempt} was neither received nor rejected`;
  const fits = phase === 'continued' ? event.attempt === attempt : event.attempt > attempt;
  return fits ? null : `attempt ${event.attempt} is sent after attempt ${attempt}`;
}

function standingAfter(events: readonly ExchangeEvent[]): Standing {
  let standing: Standing = { attempt: 0, phase: 'settled' };
  for (const event of events) standing = next(standing, event);
  return standing;
}

function next(standing: Standing, event: ExchangeEvent): Standing {
  if (event.type === 'exchange.sent') return { attempt: event.attempt, phase: 'sent' };
  if (event.type === 'exchange.asked_back') return standing;
  return { ...standing, phase: phaseAfter[event.type] };
}

/** Drops the events of an abandoned attempt, which are void. */
function forgetStep(exchanges: Map<string, ExchangeEvent[]>, step: string): void {
  for (const [id, events] of exchanges) {
    const kept = events.filter((event) => event.step !== step);
    if (kept.length === 0) exchanges.delete(id);
    else exchanges.set(id, kept);
  }
}

function unended(
  exchanges: ReadonlyMap<string, readonly ExchangeEvent[]>,
  seq: number,
): readonly Violation[] {
  return [...exchanges]
    .filter(([, events]) => standingAfter(events).phase !== 'ended')
    .map(([id]) => violation(seq, `exchange ${id}: it has no end`));
}

function violation(seq: number, message: string): Violation {
  return { law: 'XB-5', seq, message };
}

function isExchangeEvent(event: CollabEvent): event is ExchangeEvent {
  return event.type.startsWith('exchange.');
}
