import { expect, test } from 'vitest';
import { createSystemClock, timestampOf } from './clock.ts';
import { createManualClock } from './manual-clock.test-helper.ts';

test('a timestamp has six fractional digits', () => {
  expect(timestampOf({ ...createManualClock(), now: () => Date.UTC(2026, 10, 21, 9, 30) + 7.25 })).toBe(
    '2026-11-21T09:30:00.007250Z',
  );
  expect(timestampOf(createSystemClock())).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

test('the system clock never goes back between two looks', () => {
  const clock = createSystemClock();
  const looks = Array.from({ length: 100 }, () => clock.now());
  expect(looks).toEqual(looks.toSorted((left, right) => left - right));
});

test('a sleep ends with the reason of its signal', async () => {
  const stop = new AbortController();
  const sleep = createSystemClock().sleep(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(sleep).rejects.toThrow('enough');
});

test('a sleeping clock wakes', async () => {
  await expect(createSystemClock().sleep(1)).resolves.toBeUndefined();
});
