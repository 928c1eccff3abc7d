import { expect, test } from 'vitest';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { createDeadline } from './deadline.ts';
import { baseWaitMs, waitBeforeRepeat } from './retry-delay.ts';

const waitsMs = [5000, 15_000, 45_000];

test.each([
  [1, false, 5000],
  [3, false, 45_000],
  [4, false, 45_000],
  [1, true, 1000],
  [2, true, 3000],
  [3, true, 8000],
  [9, true, 8000],
])('before repeat %i of a call (unreachable: %s) it waits %i ms', (number, unreachable, ms) => {
  expect(baseWaitMs({ number, retryAfterMs: null, unreachable, waitsMs })).toBe(ms);
});

test('shorter waits in the settings also apply to a server that is not there', () => {
  expect(baseWaitMs({ number: 3, retryAfterMs: null, unreachable: true, waitsMs: [10] })).toBe(10);
});

test('the wait that the agent names is exact to the millisecond; the end of the run ends it', async () => {
  const clock = createManualClock();
  const deadline = createDeadline(2000, clock);
  deadline.start();
  const { signal } = new AbortController();
  const wait = (retryAfterMs: number): Promise<void> =>
    waitBeforeRepeat({
      number: 1,
      retryAfterMs,
      unreachable: false,
      waitsMs,
      clock,
      deadline,
      signal,
      actorSignal: signal,
    });
  let over = 0;
  const short = wait(700).then(() => (over = 1));
  await clock.advance(699);
  expect(over).toBe(0);
  await clock.advance(1);
  await short;
  expect(over).toBe(1);
  const long = wait(60_000);
  await clock.advance(1300);
  await long;
});
