import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Clock } from '../../system/clock.ts';
import { nextDeadline, watchLimits, type Progress } from './watch-limits.ts';

const limits = { firstSignMs: 50, firstByteMs: 70, idleMs: 100, totalMs: 300 };
const idle: Progress = { startedAt: 0, begunAt: null, requestedAt: null, lastEventAt: 0 };

test.each([
  [idle, { limit: 'first_sign', at: 50 }],
  [
    { ...idle, lastEventAt: 40 },
    { limit: 'first_sign', at: 50 },
  ],
  [
    { ...idle, begunAt: 10, lastEventAt: 10 },
    { limit: 'idle', at: 110 },
  ],
  [
    { ...idle, begunAt: 10, requestedAt: 10, lastEventAt: 10 },
    { limit: 'first_byte', at: 80 },
  ],
  [
    { ...idle, begunAt: 10, requestedAt: 10, lastEventAt: 75 },
    { limit: 'first_byte', at: 80 },
  ],
  [
    { ...idle, begunAt: 10, requestedAt: 200, lastEventAt: 210 },
    { limit: 'first_byte', at: 270 },
  ],
  [
    { ...idle, begunAt: 10, lastEventAt: 200 },
    { limit: 'idle', at: 300 },
  ],
  [
    { ...idle, begunAt: 10, lastEventAt: 250 },
    { limit: 'idle', at: 350 },
  ],
  [
    { ...idle, begunAt: 10, lastEventAt: 440 },
    { limit: 'total', at: 450 },
  ],
] as const)('after %o the next limit is %o', (progress, deadline) => {
  expect(nextDeadline(limits, progress)).toEqual(deadline);
});

test('the limit is extended once, whatever happens later', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2000 })), (times) => {
      const lastEventAt = Math.max(0, ...times);
      expect(
        nextDeadline(limits, { startedAt: 0, begunAt: 0, requestedAt: null, lastEventAt }).at,
      ).toBeLessThanOrEqual(450);
    }),
  );
});

/** A clock that jumps to the end of every sleep; `at` runs in between. */
function jumpingClock(happenings: Readonly<Record<number, () => void>>): Clock {
  let now = 0;
  return {
    now: () => now,
    async sleep(ms, signal) {
      const until = now + ms;
      for (const [at, happen] of Object.entries(happenings)) {
        if (Number(at) > now && Number(at) <= until) happen();
      }
      signal?.throwIfAborted();
      now = until;
    },
  };
}

test('a turn that starts late and falls silent ends at its idle limit, not at the later ones', async () => {
  let progress = idle;
  const clock = jumpingClock({ 30: () => (progress = { ...idle, begunAt: 30, lastEventAt: 30 }) });
  const limit = await watchLimits({
    limits: { ...limits, firstSignMs: 10_000, totalMs: 20_000 },
    clock,
    progress: () => progress,
    signal: new AbortController().signal,
  });
  expect([limit, clock.now()]).toEqual(['idle', 130]);
});

test('stopping the watch does not count as a limit', async () => {
  const controller = new AbortController();
  const clock = jumpingClock({ 20: () => controller.abort() });
  expect(await watchLimits({ limits, clock, progress: () => idle, signal: controller.signal })).toBeNull();
});

test('a request after a long answer is given up at its own limit, not at the idle limit', async () => {
  let progress: Progress = { ...idle, begunAt: 0, lastEventAt: 0 };
  const clock = jumpingClock({ 90: () => (progress = { ...progress, requestedAt: 90, lastEventAt: 90 }) });
  const limit = await watchLimits({
    limits,
    clock,
    progress: () => progress,
    signal: new AbortController().signal,
  });
  expect([limit, clock.now()]).toEqual(['first_byte', 160]);
});

test('a short idle limit also ends a request without an answer', () => {
  const short = { ...limits, idleMs: 20 };
  const asked = { ...idle, begunAt: 10, requestedAt: 10, lastEventAt: 12 };
  expect(nextDeadline(short, asked)).toEqual({ limit: 'idle', at: 32 });
});
