import { expect, test } from 'vitest';
import { contentWords, lexicalOverlap } from './lexical-overlap.ts';

test('X001-11.2 words are taken from prose, identifiers and Japanese, common ones left out', () => {
  expect(contentWords('The grandTotal of HTTPServer in tax_rate is 合計額. Why: x')).toEqual([
    'grand',
    'total',
    'http',
    'server',
    'tax',
    'rate',
    '合計',
    '計額',
  ]);
});

test('X001-11.2 the overlap is 0 without a shared word and grows with each one and its frequency', () => {
  expect(lexicalOverlap('', 'tax')).toBe(0);
  expect(lexicalOverlap('rain snow', 'tax rate')).toBe(0);
  expect(lexicalOverlap('tax rain', 'tax rate')).toBeCloseTo(1 / 2.2 / 2, 10);
  expect(lexicalOverlap('tax tax rain', 'tax tax rate')).toBeCloseTo(2 / 3.2 / 2, 10);
  expect(lexicalOverlap('taxRate', 'tax_rate')).toBeCloseTo(1 / 2.2, 10);
});
