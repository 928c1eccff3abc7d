import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['9m', 540_000],
  ['1h30m', 5_400_000],
  ['2h', 7_200_000],
  ['1m5ms', 60_005],
  ['0s', 0],
])('%s are %i milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each(['', '9', '9 m', 'm', '1.5h', '-1s', '30s1m', '1m1m', '1d', ' 1s', '9999999999s'])(
  '"%s" is not a duration',
  (text) => {
    expect(() => parseDuration(text)).toThrow(`"${text}" is not a duration`);
  },
);

test('a formatted duration parses back to itself', () => {
  const part = fc.nat(1_000_000);
  fc.assert(
    fc.property(part, part, part, part, (hours, minutes, seconds, milliseconds) => {
      const expected = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
      expect(parseDuration(`${hours}h${minutes}m${seconds}s${milliseconds}ms`)).toBe(expected);
    }),
  );
});
