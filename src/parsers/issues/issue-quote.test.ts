import { expect, test } from 'vitest';
import { readQuote } from './issue-quote.ts';

test.each([
  ['return a;', null, { text: 'return a;', side: 'new' }],
  ['-a\n-b', null, { text: 'a\nb', side: 'old', literal: '-a\n-b' }],
  ['---\n- b', null, { text: '--\n b', side: 'old', literal: '---\n- b' }],
  ['---\n\n- b', null, { text: '---\n\n- b', side: 'new' }],
  ['+ a', null, { text: ' a', side: 'new', literal: '+ a' }],
  ['-a\n-b', 'diff', { text: 'a\nb', side: 'old' }],
  ['+a\n+  b', 'diff', { text: 'a\n  b', side: 'new' }],
  ['-a\n b', null, { text: '-a\n b', side: 'new' }],
  ['@@ -1 +1 @@\n-a\n+b\n c', 'diff', { text: 'b\nc', side: 'new' }],
  ['a\r\nb\r', 'ts', { text: 'a\nb\n', side: 'new' }],
  [' \n\t', null, null],
  ['', null, null],
])('the quotation of %j in a fence of %j', (code, language, quote) => {
  expect(readQuote(code, language)).toEqual(quote);
});
