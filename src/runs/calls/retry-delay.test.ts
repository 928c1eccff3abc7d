import { expect, test } from 'vitest';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { createDeadline } from './deadline.ts';
import { waitBeforeRepeat } from './retry-delay.ts';

test('the wait that the agent names is whole; the end of the run ends it early, and so does an abort', async () => {
  const clock = createManualClock();
  const deadline = createDeadline(2000, clock);
  deadline.start();
  const { signal } = new AbortController();
  const wait = (retryAfterMs: number, actorSignal = signal): Promise<void> =>
    waitBeforeRepeat({
      number: 1,
      retryAfterMs,
      unreachable: false,
      waitsMs: [5000],
      clock,
      deadline,
      signal,
      actorSignal,
    });
  let over = 0;
  const short = wait(700).then(() => (over = 1));
  await clock.advance(699);
  expect(over).toBe(0);
  await clock.advance(1);
  await short;
  expect(over).toBe(1);
  const left = new AbortController();
  const aborted = wait(60_000, left.signal);
  left.abort(new Error('left'));
  await expect(aborted).rejects.toThrow('left');
  const long = wait(60_000);
  await clock.advance(1300);
  await long;
});
