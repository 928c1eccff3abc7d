import { afterEach, expect, test, vi } from 'vitest';
import { sleep } from './sleep.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a wait ends after its time', async () => {
  vi.useFakeTimers();
  const ended = vi.fn<() => void>();
  const waiting = sleep(1000, new AbortController().signal).then(ended);
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledOnce();
  await waiting;
});

test('a wait ends when it is aborted, before it or during it, and leaves no timer', async () => {
  vi.useFakeTimers();
  await sleep(1000, AbortSignal.abort());
  const aborting = new AbortController();
  const waiting = sleep(1000, aborting.signal);
  aborting.abort();
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
});
