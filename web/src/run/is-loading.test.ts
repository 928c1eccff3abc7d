import { expect, test } from 'vitest';
import { isLoading } from './is-loading.ts';

const described = { value: { last_seq: 2 }, failure: null };
const unknown = { value: null, failure: null };

test('a run is shown once the server has described it and its first events are there', () => {
  expect(isLoading({ detail: unknown, run: { lastSeq: 0 }, connection: 'connecting' })).toBe(true);
  expect(isLoading({ detail: described, run: { lastSeq: 0 }, connection: 'open' })).toBe(true);
  expect(isLoading({ detail: described, run: { lastSeq: 1 }, connection: 'open' })).toBe(false);
});

test('events that end before the server has described the run show no tab, which might not fit it', () => {
  expect(isLoading({ detail: unknown, run: { lastSeq: 2 }, connection: 'over' })).toBe(true);
  expect(isLoading({ detail: described, run: { lastSeq: 0 }, connection: 'over' })).toBe(false);
});

test('a failure and a lost connection are shown', () => {
  expect(isLoading({ detail: { ...unknown, failure: {} }, run: { lastSeq: 0 }, connection: 'over' })).toBe(
    false,
  );
  expect(isLoading({ detail: unknown, run: { lastSeq: 0 }, connection: 'lost' })).toBe(false);
});
