import { expect, test } from 'vitest';
import { bytesOf } from './answer-size.ts';

test('a text is measured in UTF-8 bytes, not in characters', () => {
  expect(['', 'abc', 'é', '合', '🔴'].map(bytesOf)).toEqual([0, 3, 2, 3, 4]);
});
