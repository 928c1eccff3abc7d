import { expect, test } from 'vitest';
import { renderCount, renderDuration } from './quantities.ts';

test('durations are seconds, above a minute minutes and seconds', () => {
  expect([0, 400, 1499, 59_400, 60_000, 80_000].map(renderDuration)).toEqual([
    '0.0 s',
    '0.4 s',
    '1 s',
    '59 s',
    '1 min',
    '1 min 20 s',
  ]);
});

test('counts carry the right form of their noun', () => {
  expect(renderCount(1, 'file')).toBe('1 file');
  expect(renderCount(0, 'file')).toBe('0 files');
  expect(renderCount(1204, 'entry', 'entries')).toBe('1,204 entries');
});
