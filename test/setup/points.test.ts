import { expect, test } from 'vitest';
import { pointsFrom, somePoints } from './points.ts';

test('a sample has one point of each stretch, in order', () => {
  const points = somePoints(pointsFrom(1, 100), 10);
  expect(points.map((point) => Math.floor((point - 1) / 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(somePoints(pointsFrom(1, 100), 10)).toEqual(points);
});

test('a list that is not longer than the sample is used completely', () => {
  expect(somePoints(pointsFrom(3, 7), 5)).toEqual([3, 4, 5, 6, 7]);
});
