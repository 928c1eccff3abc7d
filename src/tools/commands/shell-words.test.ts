import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteWord, splitWords } from './shell-words.ts';

function wordsOf(line: string) {
  const split = splitWords(line);
  return split.ok ? split.words.map(({ text }) => text) : split.why;
}

test.each([
  ['', []],
  ['  a  b\tc\nd ', ['a', 'b', 'c', 'd']],
  [`'a b' "c d"`, ['a b', 'c d']],
  [`a\\ b "say \\"hi\\" \\\\ \\n" 'it'\\''s'`, ['a b', 'say "hi" \\ \\n', "it's"]],
  [`x'y'"z"`, ['xyz']],
  [`'' ""`, ['', '']],
  ['C:\\\\dir a\\', ['C:\\dir', 'a\\']],
  ['$HOME `id` *', ['$HOME', '`id`', '*']],
  [`don't`, `A quote is opened and not closed: don't`],
  ['a "b', 'A quote is opened and not closed: "b'],
])('X004-3.1 %j becomes %j', (line, words) => {
  expect(wordsOf(line)).toEqual(words);
});

test('quoted words are distinguished from unquoted ones', () => {
  expect(splitWords(`--a '--b' \\--c`)).toEqual({
    ok: true,
    words: [
      { text: '--a', quoted: false },
      { text: '--b', quoted: true },
      { text: '--c', quoted: true },
    ],
  });
});

test('X004-3.1 quoted words are read back as they were, and any line is read', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
      expect(wordsOf(words.map(quoteWord).join(' '))).toEqual(words);
    }),
  );
  fc.assert(fc.property(fc.string(), (line) => void splitWords(line)));
});
