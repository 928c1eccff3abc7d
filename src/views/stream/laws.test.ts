import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disorderlyStreams } from '../../../test/fixtures/screens/disorderly-streams.ts';
import { arbitraryRun } from '../../events/arbitrary-events.test-helper.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import type { StreamingEvent } from './event.ts';
import { isToolCallEvent } from './guards.ts';
import { assertSameHoweverCut, assertSameReplayed } from '../projection-laws.test-helper.ts';
import {
  assertAddsUp,
  assertCloses,
  assertEnded,
  assertNumbered,
  assertOpened,
  assertTimed,
} from './laws.test-helper.ts';
import { createStreamingProjection, projectToStreaming } from './projection.ts';

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

/** Any of the runs. */
function firstRun(): readonly CollabEvent[] {
  const [run = []] = fc.sample(arbitraryRun(), { numRuns: 1, seed: 1 });
  return run;
}

function holds(law: (stream: readonly StreamingEvent[]) => void): void {
  fc.assert(fc.property(runs, (run) => law(projectToStreaming(run))));
}

describe('the stream of any run', () => {
  test('XB-6.1 is the same one by one as all at once, however it is cut', () => {
    expect(() => assertSameHoweverCut(runs, () => createStreamingProjection())).not.toThrow();
  });

  test('XB-6.2 is the same again when the journal is read from its text', () => {
    expect(() => assertSameReplayed(runs, () => createStreamingProjection())).not.toThrow();
  });

  test('R002-3.1 R002-4 X002-2.1-3 is numbered from 1 without a gap, and holds no ping', () => {
    expect(() => holds(assertNumbered)).not.toThrow();
  });

  test('R002-3.2 has timestamps with six digits', () => {
    expect(() => holds(assertTimed)).not.toThrow();
  });

  test('R002-11.3 has one init, at its start', () => {
    expect(() => holds(assertOpened)).not.toThrow();
    expect(projectToStreaming(firstRun()).some(({ event }) => event === 'init')).toBe(true);
  });

  test('R002-22.3 X002-8.1,2 ends with one done, which follows at most one error', () => {
    expect(() => holds(assertEnded)).not.toThrow();
  });

  test('R002-37 X002-23.1 adds up: tokens field by field, and the costs to the last digit', () => {
    expect(() => holds(assertAddsUp)).not.toThrow();
  });

  test('R002-17.3 X002-18.2 closes every tool and agent that it opens, the inner before the outer', () => {
    expect(() => holds(assertCloses)).not.toThrow();
  });

  test('R002-14.3 R002-15.3 R002-25 tells every call: pending, the call, running, its end, the result', () => {
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
