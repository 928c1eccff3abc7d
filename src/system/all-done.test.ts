import { expect, test } from 'vitest';
import { allDone } from './all-done.ts';
import { Deferred } from './deferred.ts';

test('all values are returned in their order', async () => {
  expect(await allDone([Promise.resolve(1), 'two', null])).toEqual([1, 'two', null]);
});

test('a failure waits for the other parts, and the failure of the first part in order is thrown', async () => {
  const [first, last] = [new Deferred<void>(), new Deferred<void>()];
  const done = allDone([
    first.promise.then(() => Promise.reject(new Error('first'))),
    Promise.reject(new Error('second')),
    last.promise,
  ]);
  let settled = false;
  const noted = done.catch((error: unknown) => {
    settled = true;
    return error;
  });
  first.resolve();
  await first.promise;
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toBe(false);
  last.resolve();
  expect(await noted).toEqual(new Error('first'));
});
