import { expect, test } from 'vitest';
import { readTag } from './read-tag.ts';

test('a text is a tag if it is nothing more', () => {
  expect(readTag('[RESPONSE:REVIEW]\n\n')).toBe('[RESPONSE:REVIEW]');
  expect(readTag('[RESPONSE:REVIEW]: clean')).toBeNull();
  expect(readTag('[RESPONSE:OTHER]')).toBeNull();
});
