import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disorderlyStreams } from '../../test/fixtures/screens/disorderly-streams.ts';
import { arbitraryRun } from '../events/arbitrary-events.test-helper.ts';
import type { CollabEvent } from '../events/collab-event.ts';
import { toPicodollars } from '../events/cost.ts';
import type { DoneEventData, StreamingEvent } from './streaming-event.ts';
import { isDoneEvent, isErrorEvent, isPingEvent, isToolCallEvent } from './streaming-guards.ts';
import { assertSameHoweverCut, assertSameReplayed } from './projection-laws.test-helper.ts';
import { createStreamingProjection, projectToStreaming } from './streaming-projection.ts';

const runs = fc.oneof(disorderlyStreams, arbitraryRun(), endings());

/** Any run, with any end and with usage of several models. */
function endings(): fc.Arbitrary<readonly CollabEvent[]> {
  const usage = fc.record({
    model: fc.constantFrom('one', 'other', '__proto__'),
    input: fc.nat(10_000),
    output: fc.nat(10_000),
    cache_read: fc.nat(10_000),
    cache_write_5m: fc.nat(10_000),
    cache_write_1h: fc.nat(10_000),
    cost: fc.option(fc.nat(10_000_000).map((millionths) => millionths / 1_000_000)),
  });
  const status = fc.constantFrom('success' as const, 'error' as const, 'cancelled' as const);
  return fc.tuple(arbitraryRun(), fc.array(usage, { maxLength: 5 }), status).map(([run, calls, end]) => {
    const [first, ...rest] = run;
    if (first === undefined) return run;
    const used = calls.map((call): CollabEvent => ({
      ...first,
      type: 'usage',
      ...call,
      cost_basis: 'profile',
    }));
    return [first, ...used, ...rest].map((event, index): CollabEvent =>
      event.type === 'run.ended' ? { ...event, status: end, seq: index + 1 } : { ...event, seq: index + 1 },
    );
  });
}

function holds(law: (stream: readonly StreamingEvent[]) => void): void {
  fc.assert(fc.property(runs, (run) => law(projectToStreaming(run))));
}

describe('the stream of any run', () => {
  test('XB-6 is the same one by one as all at once, however it is cut', () => {
    expect(() => assertSameHoweverCut(runs, () => createStreamingProjection())).not.toThrow();
  });

  test('XB-6 is the same again when the journal is read from its text', () => {
    expect(() => assertSameReplayed(runs, () => createStreamingProjection())).not.toThrow();
  });

  test('R002-4 X002-2 is numbered from 1 without a gap, and holds no ping', () => {
    holds((stream) => {
      expect(stream.map(({ data }) => data.seq)).toEqual(stream.map((_, index) => index + 1));
      expect(stream.filter(isPingEvent)).toEqual([]);
    });
  });

  test('R002-3 has timestamps with six digits', () => {
    holds((stream) => {
      for (const { data } of stream) {
        expect(data.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      }
    });
  });

  test('R002-8 X002-8 R002-27 ends with one done, which follows at most one error', () => {
    holds((stream) => {
      expect(stream.filter(isDoneEvent)).toHaveLength(1);
      const [beforeLast, last] = stream.slice(-2);
      const errors = stream.filter(isErrorEvent);
      if (last === undefined || !isDoneEvent(last)) throw new Error('done is not the last event');
      expect(errors).toEqual(last.data.is_error ? [beforeLast] : []);
      expect(last.data.errors).toEqual(last.data.is_error ? errors.map(({ data }) => data.message) : null);
      expect(last.data.is_error).toBe(last.data.status === 'error');
    });
  });

  test('R002-37 X002-23 adds up: tokens field by field, and the costs to the last digit', () => {
    holds((stream) => {
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
    });
  });

  test('R002-25 X002-18 closes every tool and agent that it opens, the inner before the outer', () => {
    holds((stream) => {
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
    });
  });

  test('R002-25 X002-31 tells every call: pending, the call, running, its end, the result', () => {
    holds((stream) => {
      for (const call of stream.filter(isToolCallEvent)) {
        const id = call.data.tool_use_id;
        const own = stream.flatMap(({ event, data }) =>
          'tool_use_id' in data && data.tool_use_id === id
            ? [event === 'progress' ? (data.tool_status ?? '') : event]
            : [],
        );
        expect(own.join(' ')).toMatch(
          /^(?:pending tool_call running (?:completed|error) tool_result(?: |$))+$/,
        );
      }
    });
  });
});

function doneOf(stream: readonly StreamingEvent[]): DoneEventData {
  const done = stream.find(isDoneEvent);
  if (done === undefined) throw new Error('there is no done');
  return done.data;
}

/** Not by way of a number: a decimal of its own. */
function picodollars(usd: string): bigint {
  expect(usd).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
  return toPicodollars(Number(usd));
}
