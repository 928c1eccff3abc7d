import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';

test('the system clock never goes backward', () => {
  const looks = Array.from({ length: 100 }, () => systemClock.now());
  expect(looks).toEqual(looks.toSorted((left, right) => left - right));
});

test('a sleep ends with the reason of its signal', async () => {
  const stop = new AbortController();
  const sleep = systemClock.sleep(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(sleep).rejects.toThrow('enough');
});

test('a sleeping clock wakes up', async () => {
  await expect(systemClock.sleep(1)).resolves.toBeUndefined();
});
