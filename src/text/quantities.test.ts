import { expect, test } from 'vitest';
import { renderAge, renderCount, renderDuration, renderNumber, renderRough } from './quantities.ts';

test('durations are in seconds, above a minute in minutes and seconds', () => {
  expect([0, 400, 1499, 59_400, 60_000, 80_000].map(renderDuration)).toEqual([
    '0.0 s',
    '0.4 s',
    '1 s',
    '59 s',
    '1 min',
    '1 min 20 s',
  ]);
});

test('whole numbers have a comma at every third digit', () => {
  const numbers = [0, 999, 1000, 12_345, 678_901, 1_000_000, 12_345_678_901];
  expect(numbers.map(renderNumber)).toEqual(numbers.map((number) => number.toLocaleString('en-US')));
});

test('counts have the right form of their noun', () => {
  expect(renderCount(1, 'file')).toBe('1 file');
  expect(renderCount(0, 'file')).toBe('0 files');
  expect(renderCount(1204, 'entry', 'entries')).toBe('1,204 entries');
});

test('an age is in its largest unit, in days from two days on; a clock that went back makes it 0 s', () => {
  const minute = 60_000;
  const ages = [-5, 59_999, minute, 59 * minute, 60 * minute, 47 * 60 * minute, 48 * 60 * minute];
  expect(ages.map(renderAge)).toEqual(['0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 d']);
});

test('a rough count has at most four characters below a million', () => {
  expect([0, 999, 1000, 12_345, 999_499, 999_500, 12_345_678].map(renderRough)).toEqual([
    '0',
    '999',
    '1k',
    '12k',
    '999k',
    '1.0M',
    '12.3M',
  ]);
});
