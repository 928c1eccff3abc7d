import { describe, expect, test } from 'vitest';
import type { EventBody, Usage } from '../events/collab-event.ts';
import type { TurnLimits } from '../config/settings.ts';
import type { Model, ModelEnd, ModelSign } from '../providers/contract/model.ts';
import { createManualClock } from '../system/manual-clock.test-helper.ts';
import { runLoop, type LoopOptions } from './execution-loop.ts';
import { readOnlyPolicy } from './tool-policy.ts';

const limits: TurnLimits = {
  firstSignMs: 30_000,
  firstByteMs: 30_000,
  idleMs: 30_000,
  totalMs: 600_000,
};
const usage: Usage = {
  model: 'm',
  input: 10,
  output: 5,
  cache_read: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  cost: null,
  cost_basis: 'unknown',
};
const done: ModelEnd = { kind: 'said', parts: [{ type: 'text', text: 'done' }], stopReason: 'end_turn' };

function overloaded(retryAfterMs: number | null = 1000): ModelEnd {
  return { kind: 'overloaded', message: 'busy', retryAfterMs };
}

/** One request: the signs before its end. */
interface Attempt {
  readonly end: ModelEnd;
  readonly signs?: readonly ModelSign[];
}

/** Resolves when the first request was made. */
async function play(attempts: readonly Attempt[], own: Partial<LoopOptions> = {}) {
  let asked = 0;
  const model: Model = {
    identity: {
      provider: 'scripted',
      displayName: 'Scripted',
      version: null,
      model: 'm',
      login: null,
      destination: null,
      remarks: [],
    },
    async turn({ say }) {
      const attempt = attempts[asked] ?? { end: done };
      asked += 1;
      for (const sign of attempt.signs ?? []) say(sign);
      return { end: attempt.end, usage };
    },
    close: async () => {},
  };
  const clock = createManualClock();
  const events: EventBody[] = [];
  const ended = runLoop({
    model,
    system: 'You lead.',
    tools: [],
    policy: readOnlyPolicy,
    limits,
    repeats: { most: 3, waitsMs: [5000, 15_000, 45_000], longestMs: 120_000 },
    clock,
    history: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }],
    callId: 'lead_1/1',
    signal: new AbortController().signal,
    emit: (event) => void events.push(event),
    keep: () => undefined,
    ...own,
  });
  ended.catch(() => undefined);
  await clock.advance(0);
  return { ended, clock, asked: () => asked, errors: () => events.filter(({ type }) => type === 'error') };
}

test.each([
  [{ kind: 'overloaded', message: '529', retryAfterMs: 7000 }, 'overloaded'],
  [{ kind: 'overloaded', message: '429', retryAfterMs: 7000, rateLimited: true }, 'rate_limit'],
] as const)(
  'X003-14.3 after the named wait and not before, the same request is made: %j',
  async (end, kind) => {
    const { ended, clock, asked, errors } = await play([{ end }]);
    await clock.advance(6999);
    expect(asked()).toBe(1);
    const error = { type: 'error', kind, message: end.message, retryable: true };
    expect(errors()).toEqual([{ ...error, retry_after_ms: 7000, repeat_in_ms: 7000 }]);
    await clock.advance(1);
    expect(await ended).toMatchObject({ kind: 'answered', usage: { input: 20, output: 10 } });
    expect(asked()).toBe(2);
  },
);

test.each([
  [{ kind: 'overloaded', message: 'busy', retryAfterMs: null }],
  [{ kind: 'cut', message: 'reset' }],
  [{ kind: 'overloaded', message: 'refused', retryAfterMs: null, unreachable: true }],
] as const)(
  'X003-14.1 a request whose failure names no time is repeated within the waits: %j',
  async (end) => {
    const { ended, clock, asked } = await play([{ end }, { end }, { end }]);
    await clock.advance(65_000);
    expect(await ended).toMatchObject({ kind: 'answered' });
    expect(asked()).toBe(4);
  },
);

test('X003-14.4 after three repeats the failure is the end, and says so with the last named time', async () => {
  const { ended, clock, asked, errors } = await play(
    Array.from({ length: 9 }, () => ({ end: overloaded() })),
  );
  await clock.advance(10_000);
  expect(await ended).toMatchObject({ kind: 'overloaded', message: 'busy (4 attempts)' });
  expect(asked()).toBe(4);
  expect(errors().at(-1)).toEqual({
    type: 'error',
    kind: 'overloaded',
    message: 'busy (4 attempts)',
    retryable: true,
    retry_after_ms: 1000,
  });
});

describe('X003-14.5 nothing is repeated once it was shown', () => {
  test.each<readonly [ModelSign]>([
    [{ kind: 'text', block: 0, text: 'half' }],
    [{ kind: 'thinking', block: 0, text: 'hm' }],
    [{ kind: 'ui', component: {} }],
  ])('%j', async (sign) => {
    const { ended, asked, errors } = await play([{ end: overloaded(), signs: [{ kind: 'begun' }, sign] }]);
    expect(await ended).toMatchObject({ kind: 'overloaded', message: 'busy' });
    expect(asked()).toBe(1);
    expect(errors()).toHaveLength(1);
  });

  test('a sign that shows nothing does not count', async () => {
    const { ended, clock, asked } = await play([
      { end: overloaded(), signs: [{ kind: 'alive' }, { kind: 'begun' }] },
    ]);
    await clock.advance(1000);
    expect(await ended).toMatchObject({ kind: 'answered' });
    expect(asked()).toBe(2);
  });
});

test.each<readonly [ModelEnd]>([
  [{ kind: 'unavailable', code: 'auth', message: 'no key', hint: '' }],
  [{ kind: 'timed_out', limit: 'context', message: 'long' }],
  [{ kind: 'empty', message: 'refused' }],
])('X003-14.1 a failure that stays is not repeated: %j', async (end) => {
  const { ended, asked } = await play([{ end }]);
  expect(await ended).toEqual(end);
  expect(asked()).toBe(1);
});

test('X003-14.6 an abort ends the wait at once', async () => {
  const controller = new AbortController();
  const { ended, clock, asked } = await play([{ end: overloaded(60_000) }], { signal: controller.signal });
  await clock.advance(1);
  controller.abort(new Error('stop'));
  await expect(ended).rejects.toThrow('stop');
  expect(asked()).toBe(1);
});

test('a wait that would be too long is not begun', async () => {
  const { ended, asked, errors } = await play([{ end: overloaded(3_600_000) }]);
  expect(await ended).toMatchObject({ kind: 'overloaded', message: 'busy; it asks to wait 3600 s' });
  expect(asked()).toBe(1);
  expect(errors()).toMatchObject([{ retry_after_ms: 3_600_000 }]);
});

test('the waits of one answer count together', async () => {
  const { ended, clock, asked } = await play(Array.from({ length: 3 }, () => ({ end: overloaded(50_000) })));
  await clock.advance(100_000);
  expect(await ended).toMatchObject({ kind: 'overloaded', message: 'busy (3 attempts)' });
  expect(asked()).toBe(3);
});

test('a wait counts in the total limit and in no other', async () => {
  const long = overloaded(60_000);
  const slow = await play([{ end: long }], { limits: { ...limits, idleMs: 1000, firstByteMs: 1000 } });
  await slow.clock.advance(60_000);
  expect(await slow.ended).toMatchObject({ kind: 'answered' });
  const short = await play([{ end: long }], { limits: { ...limits, idleMs: 1000, totalMs: 20_000 } });
  await short.clock.advance(31_000);
  expect(await short.ended).toMatchObject({ kind: 'timed_out', limit: 'total' });
  expect(short.asked()).toBe(1);
});
