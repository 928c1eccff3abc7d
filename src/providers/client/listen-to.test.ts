import { expect, test } from 'vitest';
import { listenTo } from './listen-to.ts';

test('a stream is heard to its end, as a list is', async () => {
  const heard: number[] = [];
  const hear = (event: number) => void heard.push(event);
  expect(await listenTo(async () => streamOf([1, 2]), hear)).toBeNull();
  expect(await listenTo(async () => [3], hear)).toBeNull();
  expect(heard).toEqual([1, 2, 3]);
});

test('a refusal of the request is the API’s, before the stream is open', async () => {
  const error = new Error('no such model');
  expect(await listenTo(async () => Promise.reject(error), never)).toEqual({ error, opened: false });
});

test('a cut of the stream is the API’s, also behind the first event', async () => {
  const error = new Error('cut');
  expect(await listenTo(async () => streamOf([], error), ignore)).toEqual({ error, opened: true });
  expect(await listenTo(async () => streamOf([1], error), ignore)).toEqual({ error, opened: true });
});

test('an error of the hearer is not the API’s', async () => {
  await expect(listenTo(async () => streamOf([1]), never)).rejects.toThrow('not heard');
});

async function* streamOf(events: readonly number[], error?: Error): AsyncIterable<number> {
  yield* events;
  if (error !== undefined) throw error;
}

function never(): never {
  throw new Error('not heard');
}

function ignore(): void {}
