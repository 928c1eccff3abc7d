/**
 * Counts runs and their paid calls for Prometheus, from the records of the runs alone. Counters begin with the process, as usual there:
 * what was recorded earlier is part of no counter. No tenant, title or path is a label.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CollabEvent } from '../../events/collab-event.ts';
import { callsOf, type AgentCall } from '../../review/outcome/usage.ts';
import { inShort } from '../../text/in-short.ts';
import { visibleName } from '../../text/neutralise.ts';
import { microsOf } from '../micros-of.ts';

/** Runs of one kind, state and outcome, as lists show them. */
export interface CountedRuns {
  readonly kind: string;
  readonly state: string;
  readonly outcome: string;
  readonly runs: number;
}

export interface Metrics {
  /** Counts what is new in the records of a run; `key` names the run. Called with all of them each time. */
  count(key: string, events: readonly CollabEvent[]): void;
  /** Forgets a run that gets no more records. */
  forget(key: string): void;
  /** Renders all numbers in the text format of Prometheus. */
  render(now: { readonly runs: readonly CountedRuns[]; readonly readers: number }): Promise<string>;
  /** `text/plain` and the version of the format. */
  readonly contentType: string;
}

/** Seconds. Calls of agents take from one second to half an hour. */
const durationBuckets = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800];
/** More names of one kind than these are counted together: each one is kept by Prometheus. */
const mostNames = 100;
const mostCharacters = 100;
const others = 'other';

/** The part of a run that is counted. */
interface Progress {
  seq: number;
  /** Calls end in another order than they begin. */
  readonly calls: Set<number>;
}

/** `since`: milliseconds since 1970. */
export function createMetrics(since: number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const numbers = createNumbers(registry);
  const nameProvider = createNames();
  const nameModel = createNames();
  const progressOf = new Map<string, Progress>();
  const isNew = (ts: string): boolean => microsOf(ts) >= since * 1000;

  function count(key: string, events: readonly CollabEvent[]): void {
    const progress = progressOf.get(key) ?? { seq: 0, calls: new Set<number>() };
    progressOf.set(key, progress);
    const isOver = overIn(events);
    for (const call of callsOf(events)) {
      if (call.endedAt === null || !isNew(call.endedAt) || progress.calls.has(call.seq) || !isOver(call))
        continue;
      progress.calls.add(call.seq);
      countCall(call, call.endedAt);
    }
    for (const event of events) {
      if (event.seq <= progress.seq || !isNew(event.ts)) continue;
      const reason = repeatIn(event);
      if (reason !== null) numbers.retries.inc({ provider: nameProvider(event.agent.provider), reason });
    }
    progress.seq = events.at(-1)?.seq ?? progress.seq;
  }

  function countCall(call: AgentCall, endedAt: string): void {
    const provider = nameProvider(call.agent.provider);
    const place = { provider, model: nameModel(call.model ?? 'unknown') };
    numbers.calls.inc({ provider, result: call.result });
    numbers.duration.observe({ provider }, Math.max(0, microsOf(endedAt) - microsOf(call.begunAt)) / 1e6);
    const { input, output, cache_read, cache_write_5m, cache_write_1h } = call.tokens;
    const kinds = { input, output, cache_read, cache_write: cache_write_5m + cache_write_1h };
    for (const [type, tokens] of Object.entries(kinds)) numbers.tokens.inc({ ...place, type }, tokens);
    if (call.cost === null) numbers.unpriced.inc(place);
    else numbers.cost.inc(place, call.cost);
  }

  return {
    count,
    forget: (key) => void progressOf.delete(key),
    async render({ runs, readers }) {
      numbers.runs.reset();
      for (const { kind, state, outcome, runs: those } of runs)
        numbers.runs.inc({ kind, state, outcome }, those);
      numbers.readers.set(readers);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Until its step or run has ended, a call may have more model turns, as the answer of a conversation has. */
function overIn(events: readonly CollabEvent[]): (call: AgentCall) => boolean {
  const steps = new Set(events.flatMap((event) => (event.type === 'step.ended' ? [event.step] : [])));
  const hasEnded = events.some(({ type }) => type === 'run.ended');
  return ({ step }) => hasEnded || steps.has(step);
}

function createNumbers(registry: Registry) {
  const registers = [registry];
  return {
    runs: new Gauge({
      name: 'collab_runs',
      help: 'Stored runs by kind, state and outcome; the outcome is empty until a run ends',
      labelNames: ['kind', 'state', 'outcome'],
      registers,
    }),
    calls: new Counter({
      name: 'collab_calls_total',
      help: 'Ended paid calls; the result is ok or the reason of the failure',
      labelNames: ['provider', 'result'],
      registers,
    }),
    tokens: new Counter({
      name: 'collab_tokens_total',
      help: 'Tokens of ended calls; type input is uncached input',
      labelNames: ['provider', 'model', 'type'],
      registers,
    }),
    cost: new Counter({
      name: 'collab_cost_usd_total',
      help: 'Dollars of ended calls with a known price',
      labelNames: ['provider', 'model'],
      registers,
    }),
    unpriced: new Counter({
      name: 'collab_unpriced_calls_total',
      help: 'Ended calls without a known price',
      labelNames: ['provider', 'model'],
      registers,
    }),
    retries: new Counter({
      name: 'collab_retries_total',
      help: 'Requests that were repeated after a wait',
      labelNames: ['provider', 'reason'],
      registers,
    }),
    duration: new Histogram({
      name: 'collab_call_duration_seconds',
      help: 'Time from the request of a call to the end of its last turn',
      labelNames: ['provider'],
      buckets: durationBuckets,
      registers,
    }),
    readers: new Gauge({
      name: 'collab_stream_readers',
      help: 'Open readers of event streams',
      registers,
    }),
  };
}

/** Returns the reason of a repeated request; null if the record is about none. */
function repeatIn(event: CollabEvent): string | null {
  if (event.type === 'error') return event.repeat_in_ms === undefined ? null : event.kind;
  return event.type === 'exchange.rejected' && event.action === 'waiting' ? event.reason : null;
}

/** Bounds foreign names, and their number. */
function createNames(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    const shown = inShort(visibleName(name), mostCharacters);
    if (known.size < mostNames) known.add(shown);
    return known.has(shown) ? shown : others;
  };
}
