/** The laws of specification 002 for the stream of one run, made here or recorded from a connection; without pings. */
import { expect } from 'vitest';
import { toPicodollars } from '../../events/cost.ts';
import type { DoneEventData, StreamingEvent } from './event.ts';
import { isDoneEvent, isErrorEvent, isPingEvent } from './guards.ts';

type Stream = readonly StreamingEvent[];

export function assertLawful(stream: Stream): void {
  for (const assertLaw of [
    assertNumbered,
    assertTimed,
    assertOpened,
    assertEnded,
    assertAddsUp,
    assertCloses,
  ]) {
    assertLaw(stream);
  }
}

export function assertNumbered(stream: Stream): void {
  expect(stream.map(({ data }) => data.seq)).toEqual(stream.map((_, index) => index + 1));
  expect(stream.filter(isPingEvent)).toEqual([]);
}

export function assertTimed(stream: Stream): void {
  for (const { data } of stream) {
    expect(data.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  }
}

/** Names the session once, before everything else; a run that failed before its session has no init. */
export function assertOpened(stream: Stream): void {
  const places = stream.flatMap(({ event }, index) => (event === 'init' ? [index] : []));
  expect(places).toEqual(places.length === 0 ? [] : [0]);
}

export function assertEnded(stream: Stream): void {
  expect(stream.filter(isDoneEvent)).toHaveLength(1);
  const [beforeLast, last] = stream.slice(-2);
  const errors = stream.filter(isErrorEvent);
  if (last === undefined || !isDoneEvent(last)) throw new Error('done is not the last event');
  expect(errors).toEqual(last.data.is_error ? [beforeLast] : []);
  expect(last.data.errors).toEqual(last.data.is_error ? errors.map(({ data }) => data.message) : null);
  expect(last.data.is_error).toBe(last.data.status === 'error');
}

/** Tokens field by field, and the costs to the last digit. */
export function assertAddsUp(stream: Stream): void {
  const { usage, cost_usd, model_usage } = doneOf(stream);
  const models = Object.values(model_usage ?? {});
  const sum = (read: (model: (typeof models)[number]) => number) =>
    models.reduce((total, model) => total + read(model), 0);
  expect(usage).toEqual({
    input_tokens: sum((model) => model.input_tokens),
    output_tokens: sum((model) => model.output_tokens),
    cache_creation_5m_tokens: sum((model) => model.cache_creation_5m_input_tokens),
    cache_creation_1h_tokens: sum((model) => model.cache_creation_1h_input_tokens),
    cache_read_tokens: sum((model) => model.cache_read_input_tokens),
    total_tokens: sum((model) => model.input_tokens + model.output_tokens),
  });
  const costs = models.reduce((total, model) => total + picodollars(model.cost_usd), 0n);
  expect(picodollars(cost_usd)).toBe(costs);
}

/** Every tool and agent that it opens, the inner before the outer. */
export function assertCloses(stream: Stream): void {
  const open = new Set<string>();
  const astray: string[] = [];
  const end = (key: string) => open.delete(key) || astray.push(key);
  for (const { event, data } of stream) {
    if (event === 'tool_call') open.add(`tool ${data.tool_use_id}`);
    if (event === 'subagent_start') open.add(`agent ${data.agent_id}`);
    if (event === 'tool_result') end(`tool ${data.tool_use_id}`);
    if (event === 'subagent_end') end(`agent ${data.agent_id}`);
    if (!('parent_agent_id' in data)) continue;
    const speaker = `agent ${data.parent_agent_id}`;
    if (!open.has(speaker)) astray.push(speaker);
  }
  expect(astray).toEqual([]);
  expect([...open]).toEqual([]);
}

function doneOf(stream: readonly StreamingEvent[]): DoneEventData {
  const done = stream.find(isDoneEvent);
  if (done === undefined) throw new Error('there is no done');
  return done.data;
}

/** Compares decimals as text, not as numbers. */
function picodollars(usd: string): bigint {
  expect(usd).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
  return toPicodollars(Number(usd));
}
