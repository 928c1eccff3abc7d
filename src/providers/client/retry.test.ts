import { expect, test } from 'vitest';
import { retryStream, waitBefore, type RetryOptions } from './retry.ts';
import { collect, saying } from '../scripted-client.test-helper.ts';

const overloaded = { type: 'error' as const, error: 'busy', status: 503 };
const done = { type: 'complete', text: '' };

/** Calls that give these events, one list a call. */
async function play(calls: readonly (readonly unknown[])[], own: Partial<RetryOptions> = {}) {
  const waits: number[] = [];
  let asked = 0;
  const start = () => {
    asked += 1;
    return saying(...(calls[asked - 1] ?? []));
  };
  const clock = { sleep: async (ms: number) => void waits.push(ms) };
  const events = await collect(retryStream(start, { clock, random: () => 0.5, ...own }));
  return { types: events.map(({ type }) => type), waits, asked };
}

test('X003-14.1,2 a call that fails for a while is made again, after waits that double', async () => {
  expect(await play([[overloaded], [overloaded], [overloaded], [done]])).toEqual({
    types: ['complete'],
    waits: [500, 1000, 2000],
    asked: 4,
  });
});

test('X003-14.4 at most three times', async () => {
  const always = Array.from({ length: 9 }, () => [overloaded]);
  expect(await play(always)).toMatchObject({ types: ['error'], asked: 4 });
});

test('X003-14.5 never once something was shown', async () => {
  const chunk = { type: 'text_chunk', text: 'a' };
  expect(await play([[chunk, overloaded], [done]])).toEqual({
    types: ['text_chunk', 'error'],
    waits: [],
    asked: 1,
  });
});

test('X003-14.6 an abort ends the wait at once', async () => {
  const clock = { sleep: () => Promise.reject(new Error('stop')) };
  expect(await play([[overloaded]], { clock })).toMatchObject({ types: ['aborted'], asked: 1 });
});

test.each([
  [429, true],
  [503, true],
  [529, true],
  [408, true],
  [500, true],
  [400, false],
  [401, false],
  [404, false],
])('X003-14.1 status %d: tried again is %s', (status, again) => {
  const wait = waitBefore({ type: 'error', error: 'x', status }, 0, { random: () => 0.5 });
  expect(wait === null ? false : wait === 500).toBe(again);
});

test('X003-14.3 what the provider asks for is kept to, where it is not too long', () => {
  expect(
    [0, 7, 61].map((retry_after) => waitBefore({ ...overloaded, retry_after }, 2, { random: () => 0.9 })),
  ).toEqual([0, 7000, null]);
});

test('X003-14.1 a connection that was reset is tried again, a bug is not', () => {
  const waits = ['network', 'internal'].map((code) =>
    waitBefore({ type: 'error', error: 'x', code }, 0, { random: () => 0 }),
  );
  expect(waits).toEqual([0, null]);
});
