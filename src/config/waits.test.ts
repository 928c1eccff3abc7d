import { expect, test } from 'vitest';
import { defaultSettings } from './settings-table.ts';
import {
  overloadedWaitsMs,
  reviewTimeLimitMs,
  turnLimits,
  unreachableWaitsMs,
  workflowTimeLimitMs,
} from './waits.ts';

const minute = 60_000;

/** Jitter adds at most a tenth. */
const longest = (waits: readonly number[]): number => waits.reduce((sum, ms) => sum + ms, 0) * 1.1;

test('a model that sends no byte is given up after 6 minutes: one attempt and two shorter ones', () => {
  const attempts = 1 + defaultSettings.budgets.shortening;
  expect(attempts * turnLimits.firstByteMs).toBe(6 * minute);
});

test('a server that refuses connections is given up within 30 s, with 4 s for each attempt', () => {
  const { waiting } = defaultSettings.budgets;
  expect(unreachableWaitsMs).toHaveLength(waiting);
  expect(longest(unreachableWaitsMs) + (waiting + 1) * 4000).toBeLessThanOrEqual(30_000);
});

test('no wait for a missing server is longer than for an overloaded one', () => {
  for (const [index, ms] of unreachableWaitsMs.entries()) {
    expect(ms).toBeLessThanOrEqual(overloadedWaitsMs[index] ?? 0);
  }
});

test('each limit of a turn is shorter than the next: start, first byte, idle, total', () => {
  const { firstSignMs, firstByteMs, idleMs, totalMs } = turnLimits;
  const limits = [firstSignMs, firstByteMs, idleMs, totalMs];
  expect(limits).toEqual(limits.toSorted((left, right) => left - right));
});

test.each([
  [0, 60],
  [1, 60],
  [10, 60],
  [11, 120],
  [20, 120],
  [21, 180],
])('a review of %i chunks has %i minutes', (chunks, minutes) => {
  expect(reviewTimeLimitMs(chunks)).toBe(minutes * minute);
});

test('a run of phases has an hour for each phase', () => {
  expect([1, 4].map(workflowTimeLimitMs)).toEqual([60 * minute, 240 * minute]);
});
