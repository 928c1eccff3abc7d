import { expect, test } from 'vitest';
import { isDrawn } from './is-drawn.ts';

const names = Array.from({ length: 3000 }, (_, index) => `test ${index}`);
const drawn = (share: number, seed: string): readonly string[] =>
  names.filter((name) => isDrawn('test/some.slow.test.ts', name, { share, seed }));

test('a share of the tests is drawn, the same ones for the same seed', () => {
  const some = drawn(0.3, '4711');
  expect(some.length / names.length).toBeCloseTo(0.3, 1);
  expect(drawn(0.3, '4711')).toEqual(some);
});

test('other seeds draw other tests, until each was drawn', () => {
  const seeds = Array.from({ length: 60 }, (_, index) => String(index));
  expect(new Set(seeds.flatMap((seed) => drawn(0.3, seed))).size).toBe(names.length);
});

test('a whole run plays all, and tests of numbered rules are always played', () => {
  expect(drawn(1, '1')).toEqual(names);
  for (const name of ['R003-59 a request', 'X001-8 an answer', 'serve > R002-40 a context'])
    expect(isDrawn('a.test.ts', name, { share: 0, seed: '1' })).toBe(true);
});
