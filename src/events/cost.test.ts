import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCost, renderRoundedUsd, renderUsd, toPicodollars, toUsd } from './cost.ts';

test.each([
  [0, '0'],
  [0.1 + 0.2, '0.3'],
  [1e-12, '0.000000000001'],
  [0.000123, '0.000123'],
  [100, '100'],
  [1234.5, '1234.5'],
])('X002-23.2 %d dollars are written %s', (usd, written) => {
  expect(renderUsd(toPicodollars(usd))).toBe(written);
});

test.each([
  [0, '0.000000'],
  [0.001, '0.001000'],
  [0.0000005, '0.000001'],
  [0.0000015, '0.000002'],
  [0.0000014999, '0.000001'],
  [1234.9999995, '1235.000000'],
])('X002-23.4 %d dollars are printed as %s', (usd, printed) => {
  expect(renderRoundedUsd(usd)).toBe(printed);
});

test('X002-23.1 a sum of many small costs is exact', () => {
  expect([0.1, 0.2, 0.3, 0.4].reduce<number | null>(addCost, 0)).toBe(1);
  const thousand = Array.from({ length: 1000 }, () => 0.000001);
  expect(thousand.reduce<number | null>(addCost, 0)).toBe(0.001);
});

test('one unknown cost makes the sum unknown', () => {
  expect([addCost(null, 1), addCost(1, null)]).toEqual([null, null]);
});

test('X002-23.1 picodollars survive being a number of dollars', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 8_000_000_000_000_000n }), (picodollars) => {
      expect(toPicodollars(toUsd(picodollars))).toBe(picodollars);
    }),
  );
});
