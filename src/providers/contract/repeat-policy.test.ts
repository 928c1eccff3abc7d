import { expect, test } from 'vitest';
import {
  isPassing,
  planRepeat,
  repeatWaitMs,
  tooLongWaitMs,
  type PassingFailure,
  type RepeatRules,
} from './repeat-policy.ts';

const waitsMs = [5000, 15_000, 45_000];
const rules: RepeatRules = { most: 3, waitsMs, longestMs: 120_000 };
const overloaded: PassingFailure = { retryAfterMs: null };

test.each([
  [1, false, 5000],
  [3, false, 45_000],
  [4, false, 45_000],
  [1, true, 1000],
  [2, true, 3000],
  [3, true, 8000],
  [9, true, 8000],
])('X003-14.2 before repeat %i (unreachable: %s) it waits up to %i ms', (number, unreachable, longest) => {
  const waitsOf = (random: number) => repeatWaitMs({ unreachable }, { number, waitsMs, random });
  expect([0, 0.5, 1 - Number.EPSILON].map(waitsOf)).toEqual([0, longest / 2, longest - 1]);
});

test('shorter waits of the settings also hold for a server that is not there', () => {
  expect(repeatWaitMs({ unreachable: true }, { number: 3, waitsMs: [10], random: 0.5 })).toBe(5);
  expect(repeatWaitMs({ unreachable: true }, { number: 3, waitsMs: [], random: 0.5 })).toBe(0);
});

test('X003-14.3 the time that the service names is kept to the millisecond, without jitter', () => {
  const asked = [0, 7, 60_000].map((retryAfterMs) =>
    repeatWaitMs({ retryAfterMs }, { number: 2, waitsMs, random: 0.3 }),
  );
  expect(asked).toEqual([0, 7, 60_000]);
});

test('X003-14.4 a request is repeated three times', () => {
  const plans = [1, 2, 3, 4].map((number) =>
    planRepeat(overloaded, rules, { number, random: 0.5, waitedMs: 0 }),
  );
  expect(plans).toEqual([2500, 7500, 22_500, null]);
});

test.each([
  [120_000, 0, 120_000],
  [120_001, 0, null],
  [60_000, 60_000, 60_000],
  [60_000, 60_001, null],
])('a wait of %i ms after %i ms of waits is %s', (retryAfterMs, waitedMs, expected) => {
  expect(planRepeat({ retryAfterMs }, rules, { number: 1, random: 0, waitedMs })).toBe(expected);
});

test('a run waits ten minutes and no longer', () => {
  const asked = [null, 600_000, 600_001].map((retryAfterMs) => tooLongWaitMs({ retryAfterMs }));
  expect(asked).toEqual([null, null, 600_001]);
});

test('X003-14.1 an overloaded service and a broken connection may pass, nothing else', () => {
  const kinds = ['overloaded', 'cut', 'timed_out', 'unavailable', 'empty', 'said'];
  expect(kinds.filter((kind) => isPassing({ kind }))).toEqual(['overloaded', 'cut']);
});
