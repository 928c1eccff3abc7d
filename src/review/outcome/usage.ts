/** Sums up the usage of a run's calls, by phase and agent: a fold over its events. */
import { z } from 'zod';
import {
  rejectionReasons,
  type CollabEvent,
  type ErrorKind,
  type EventAgent,
  type RejectionReason,
  type Usage,
} from '../../events/collab-event.ts';
import { addCost } from '../../events/cost.ts';
import { addTokens, noTokens, type Tokens } from '../../events/tokens.ts';
import { exchangeSpecs, phases, type Phase } from '../../tags/tags.ts';

const count = z.int().nonnegative();

/** Tokens; `input` is uncached input only. */
export const tokensSchema = z.object({
  input: count,
  output: count,
  cache_read: count,
  cache_write_5m: count,
  cache_write_1h: count,
  reasoning: count,
});

export const agentUsageSchema = z.object({
  /** The phase of the call; null if it belongs to none. */
  phase: z.enum(phases).nullable(),
  agent: z.enum(['lead', 'advisor', 'sub']),
  provider: z.string(),
  model: z.string().nullable(),
  /** Agent calls, including lost ones. */
  calls: count,
  usage: tokensSchema,
  /** In US dollars; null if the price of any call is unknown. */
  cost_usd: z.number().nonnegative().nullable(),
});
export type AgentUsage = z.infer<typeof agentUsageSchema>;

/** One agent call: an attempt of a step that started a model turn. */
export interface AgentCall {
  readonly step: string;
  readonly phase: Phase | null;
  readonly agent: EventAgent;
  readonly model: string | null;
  readonly tokens: Tokens;
  /** The price; null if unknown: the agent reported no price, or the call was lost before it could. */
  readonly cost: number | null;
  /** The size of its request; 0 if unknown. */
  readonly promptBytes: number;
  /** The `seq` of the record that started its model turn. */
  readonly seq: number;
  /** The time of its request, as in `ts`. */
  readonly begunAt: string;
  /** The time at which its last model turn ended, as in `ts`; null if it was lost or is not over. */
  readonly endedAt: string | null;
  readonly result: CallResult;
}

/** `ok`, or the reason that the answer was not used; `lost`: the call has no end yet, or never will. */
export type CallResult = 'ok' | 'lost' | ErrorKind | RejectionReason;

export interface Spending {
  readonly usage: Tokens;
  /** The price; null if that of any call is unknown, or if no call was made. */
  readonly cost_usd: number | null;
}

/** Returns usage in the order in which phase, agent and model first appeared. */
export function usageByAgent(events: Iterable<CollabEvent>): readonly AgentUsage[] {
  const rows = new Map<string, AgentUsage>();
  for (const { phase, agent, model, tokens, cost } of callsOf(events)) {
    const { role, provider } = agent;
    const key = JSON.stringify([phase, role, provider, model]);
    const row = rows.get(key);
    rows.set(key, {
      phase,
      agent: role,
      provider,
      model,
      calls: (row?.calls ?? 0) + 1,
      usage: addTokens(row?.usage ?? noTokens, tokens),
      cost_usd: row === undefined ? cost : addCost(row.cost_usd, cost),
    });
  }
  return [...rows.values()];
}

export function spendingOf(rows: readonly AgentUsage[]): Spending {
  return {
    usage: rows.reduce((sum, { usage }) => addTokens(sum, usage), noTokens),
    cost_usd:
      rows.length === 0 ? null : rows.reduce<number | null>((sum, row) => addCost(sum, row.cost_usd), 0),
  };
}

interface OpenCall extends Pick<AgentCall, 'step' | 'agent' | 'phase' | 'promptBytes' | 'seq' | 'begunAt'> {
  /** A model turn was started and has not ended. */
  open: boolean;
  endedAt: string | null;
  fault: ErrorKind | RejectionReason | null;
  /** True if a usage event arrived within the current model turn: the turn's own total repeats it. */
  heardInTurn: boolean;
  usages: readonly Usage[];
  /** A model turn ended without reporting its usage. */
  untold: boolean;
}

/** The caller, the user and rules make no paid calls. */
const unpaid: ReadonlySet<string> = new Set(['caller', 'user', 'static_review']);

/**
 * Returns the calls of a run, in order. A usage that a later attempt recovered for a lost call replaces the one that
 * the call had reported.
 */
export function callsOf(events: Iterable<CollabEvent>): readonly AgentCall[] {
  const calls: OpenCall[] = [];
  const current = new Map<string, OpenCall>();
  const lost = new Map<string, OpenCall>();
  const sent = new Map<string, SentRequest>();
  const phaseOf = createPhaseFinder();
  for (const event of events) {
    const phase = phaseOf(event);
    noteRequest(sent, event);
    if (event.type === 'step.begun') {
      for (const [key, call] of current) if (call.step === event.step) moveTo(lost, current, key, call);
    }
    if (unpaid.has(event.agent.provider)) continue;
    const step = event.step ?? event.exchange_id ?? '';
    const key = `${event.agent.id} ${step}`;
    const faulty = current.get(key);
    if (faulty !== undefined) faulty.fault = faultIn(event) ?? faulty.fault;
    if (event.type !== 'turn.started' && event.type !== 'usage' && event.type !== 'turn.ended') continue;
    const call = current.get(key) ?? foundAgain(event) ?? begun(event, step, phase);
    current.set(key, call);
    hear(call, event);
  }
  return calls.map(asAgentCall);

  function begun({ agent, seq, ts }: CollabEvent, step: string, phase: Phase | null): OpenCall {
    const request = sent.get(step);
    const call = {
      step,
      agent,
      phase,
      promptBytes: request?.bytes ?? 0,
      seq,
      begunAt: request?.ts ?? ts,
      endedAt: null,
      fault: null,
      open: false,
      heardInTurn: false,
      usages: [],
      untold: false,
    };
    calls.push(call);
    return call;
  }

  function foundAgain(event: CollabEvent): OpenCall | null {
    const call = lost.get(`${event.agent.id} ${event.step ?? ''}`);
    if (call === undefined || event.type === 'turn.started') return null;
    return Object.assign(call, { open: false, fault: null, heardInTurn: false, usages: [], untold: false });
  }
}

interface SentRequest {
  readonly bytes: number;
  readonly ts: string;
}

/** A request is recorded before its agent starts; that of a lead by its session alone. */
function noteRequest(sent: Map<string, SentRequest>, event: CollabEvent): void {
  const step = event.step ?? '';
  if (event.type === 'step.begun') sent.delete(step);
  if (event.type === 'exchange.sent') sent.set(step, { bytes: event.prompt_bytes, ts: event.ts });
  if (event.type === 'step.bound' && !sent.has(step)) sent.set(step, { bytes: 0, ts: event.ts });
}

/** The reason not to use the answer of the call that this record is about; null if the record names none. */
function faultIn(event: CollabEvent): ErrorKind | RejectionReason | null {
  switch (event.type) {
    case 'error':
      return event.repeat_in_ms === undefined ? event.kind : null;
    case 'exchange.rejected':
      return event.reason;
    case 'turn.ended':
      return rejectionReasons.find((reason) => reason === event.stop_reason) ?? null;
    default:
      return null;
  }
}

function moveTo(
  lost: Map<string, OpenCall>,
  current: Map<string, OpenCall>,
  key: string,
  call: OpenCall,
): void {
  lost.set(key, call);
  current.delete(key);
}

type UsageEvent = Extract<CollabEvent, { type: 'turn.started' | 'usage' | 'turn.ended' }>;

function hear(call: OpenCall, event: UsageEvent): void {
  if (event.type === 'turn.started') {
    call.open = true;
    call.heardInTurn = false;
  } else if (event.type === 'usage') {
    call.heardInTurn = true;
    call.usages = [...call.usages, event];
  } else {
    call.open = false;
    call.endedAt = event.ts;
    call.fault ??= faultIn(event);
    if (!call.heardInTurn && event.usage !== null) call.usages = [...call.usages, event.usage];
    if (!call.heardInTurn && event.usage === null) call.untold = true;
    call.heardInTurn = false;
  }
}

function asAgentCall(call: OpenCall): AgentCall {
  const { step, phase, agent, promptBytes, seq, begunAt, endedAt, fault, open, usages, untold } = call;
  const isTold = usages.length > 0 && !open && !untold;
  return {
    step,
    phase,
    agent,
    promptBytes,
    seq,
    begunAt,
    endedAt: open ? null : endedAt,
    result: fault ?? (open || endedAt === null ? 'lost' : 'ok'),
    model: usages.at(-1)?.model ?? agent.model ?? null,
    tokens: usages.reduce(addTokens, noTokens),
    cost: isTold ? usages.reduce<number | null>((sum, { cost }) => addCost(sum, cost), 0) : null,
  };
}

/** A step of a phase starts with its name; another call belongs to the open phase, or to its request's. */
function createPhaseFinder(): (event: CollabEvent) => Phase | null {
  const ofExchange = new Map<string, Phase>();
  let open: Phase | null = null;
  return (event) => {
    if (event.type === 'phase.started') open = event.phase;
    if (event.type === 'phase.ended') open = null;
    const exchange = event.exchange_id ?? '';
    if (event.type === 'exchange.sent') {
      const spec = exchangeSpecs.find(({ request }) => request === event.tag);
      if (spec !== undefined) ofExchange.set(exchange, spec.phase);
    }
    const head = event.step?.split('/')[0];
    return phases.find((phase) => phase === head) ?? open ?? ofExchange.get(exchange) ?? null;
  };
}
