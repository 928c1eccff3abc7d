import { expect, test } from 'vitest';
import { onOneLine } from './one-line.ts';

test('white space becomes single spaces', () => {
  expect(onOneLine(' a\n\tb  c\n')).toBe('a b c');
});
