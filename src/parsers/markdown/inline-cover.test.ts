import { expect, test } from 'vitest';
import { coverOfLine } from './inline-cover.ts';
import { parseMarkdown } from './parse-markdown.ts';

/** Returns the cover of every line's `#` in the text, by the parser that judges markers. */
function coversOf(text: string): readonly (string | null)[] {
  const document = parseMarkdown(text);
  return [...text.matchAll(/#/g)].map(({ index }) => {
    const textLine = [...document.textLines.values()].find(
      ({ line }) => line.start <= index && index <= line.end,
    );
    return textLine === undefined
      ? 'no text line'
      : coverOfLine(document, textLine, index - textLine.line.start);
  });
}

test.each([
  ['plain #', null],
  ['a `#` b', 'inline_code'],
  ['a ``# `` b', 'inline_code'],
  ['`a`# b', null],
  ['`a` # `b`', null],
  ['a\n`b\n#x\nc` d', 'inline_code'],
  ['a <b title="#"> c', 'html'],
  ['a <!-- # --> c', 'html'],
  ['a <b># c</b>', null],
  ['![#](/a)', 'image'],
  ['![a](/# "t")', 'image'],
  ['![#][b]\n\n[b]: /c', 'image'],
  ['[# a](/b)', null],
  ['[a #](/b)', null],
  ['[a](/# "t")', 'link_title'],
  ['[a](/b "#")', 'link_title'],
  ['[a](/b "t")#', null],
  ['[](/#)', 'link_title'],
  ['[a `#` b](/c)', 'inline_code'],
  ['[a ![#](/b) c](/d)', 'image'],
  ['[`a` # b](/c "t")', null],
  ['[# a][b]\n\n[b]: /c', null],
  ['a `b` c `d` e `f#` g `h` i', 'inline_code'],
  ['a `b` c `d` # `f` g', null],
])('X001-1.1 the sign in %j is covered by %j', (text, cover) => {
  expect(coversOf(text)).toEqual([cover]);
});

test.each([
  ['[a]: /b "#"', 'link_title'],
  ["[a]: /b '#'", 'link_title'],
  ['[a]: /b\n"#"', 'link_title'],
  ['[a]: </b c> "#"', 'link_title'],
  ['[a]: </b\\> c> "#"', 'link_title'],
  ['[a\\]: b]: /c "#"', 'link_title'],
  ['[a]:   /b   "#"', 'link_title'],
  ['[#]: /b "t"', null],
  ['words\n\n[#]: /b "t"', null],
  ['[a]:   /# "t"', null],
  ['[a]:/# "t"', null],
  ['[a]: <\\> #> "t"', null],
  ['[a]: /# "t"', null],
  ['[a]: </b #> "t"', null],
  ['[a]: <\\>#> "t"', null],
  ['[a\\]#]: /b "t"', null],
  ['[a]: /#', null],
  ['[#]: /b', null],
  ['[a]: /b "t"\n[#]: /d "u"', null],
  ['[a]: /b "t"\n[c]: /d "#"', 'link_title'],
  ['[a]: /b "t"\n[c]: /d#d "u"', null],
])('X001-1.1 of a definition only the title covers: %j', (text, cover) => {
  expect(coversOf(text)).toEqual([cover]);
});

test('X001-1.1 a construct that begins with the very sign does not cover it', () => {
  const document = parseMarkdown('`a` <b> ![c](/d) [e](/f)');
  const textLine = document.textLines.get(1);
  if (textLine === undefined) throw new Error('one line');
  expect([0, 1, 2, 3, 4, 5, 8, 9, 17, 18].map((column) => coverOfLine(document, textLine, column))).toEqual([
    null,
    'inline_code',
    'inline_code',
    null,
    null,
    'html',
    null,
    'image',
    null,
    null,
  ]);
});

test('X001-1.1 a line that a table swallowed is covered by nothing', () => {
  const document = parseMarkdown('| a |\n|---|\n| 1 |\n`#`');
  const textLine = document.textLines.get(4);
  if (textLine === undefined) throw new Error('a fourth line');
  expect(textLine.node.type).toBe('table');
  expect(coverOfLine(document, textLine, 1)).toBeNull();
});
