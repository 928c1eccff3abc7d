import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineWidth, type Line } from '../../text/spans.ts';
import { renderMarkdown } from './terminal-markdown.ts';

const plainText = (lines: readonly Line[]) => lines.map((line) => line.map(({ text }) => text).join(''));
const shown = (markdown: string, columns = 40) => plainText(renderMarkdown(markdown, columns));
const stylesOf = (markdown: string, text: string) =>
  renderMarkdown(markdown, 80)
    .flat()
    .find((span) => span.text === text)?.styles;

test('headings, emphasis, code and links are styled, and their marks are gone', () => {
  expect(shown('# Title\n\nA **bold** and *soft* `word`, [here](https://a.example/b).', 80)).toEqual([
    'Title',
    '',
    'A bold and soft word, here (https://a.example/b).',
  ]);
  expect(stylesOf('# Title', 'Title')).toEqual(['bold']);
  expect(stylesOf('a **b** c', 'b')).toEqual(['bold']);
  expect(stylesOf('a *b* c', 'b')).toEqual(['italic']);
  expect(stylesOf('a ~~b~~ c', 'b')).toEqual(['strike']);
  expect(stylesOf('a `b` c', 'b')).toEqual(['cyan']);
});

test('lists keep their numbers, their depth and their boxes', () => {
  expect(shown('9. nine\n10. ten\n    - below\n\n- [x] done\n- [ ] open')).toEqual([
    '9.  nine',
    '10. ten',
    '    • below',
    '',
    '• [x] done',
    '• [ ] open',
  ]);
  expect(shown('- one\n\n- two')).toEqual(['• one', '', '• two']);
  expect(shown('- a list item that is longer than one line is', 20)).toEqual([
    '• a list item that',
    '  is longer than one',
    '  line is',
  ]);
});

test('a table is aligned, and one that is too wide becomes a list of its rows', () => {
  const table = '| file | lines |\n|---|---|\n| `a.ts` | 3 |\n| 日本.ts | 12 |';
  expect(shown(table)).toEqual(['file     lines', '───────  ─────', 'a.ts     3', '日本.ts  12']);
  expect(shown(table, 12)).toEqual(['file: a.ts', 'lines: 3', '', 'file:', '日本.ts', 'lines: 12']);
});

test('code is indented and colored by its language, and a diff by its marks', () => {
  expect(shown('```ts\nconst a = 1;\n\nlet b;\n```')).toEqual(['  const a = 1;', '', '  let b;']);
  expect(stylesOf('```ts\nconst a = 1;\n```', 'const')).toEqual(['magenta']);
  expect(stylesOf('```diff\n-old\n+new\n```', '-old')).toEqual(['red']);
  expect(stylesOf('```diff\n-old\n+new\n```', '+new')).toEqual(['green']);
  expect(stylesOf('```nothing\nconst a = 1;\n```', 'const a = 1;')).toEqual([]);
});

test('quotations, rules, hard breaks and HTML are readable', () => {
  expect(shown('> said\n> again\n\n---\n\none  \ntwo\n\n<b>not a tag</b>')).toEqual([
    '│ said again',
    '',
    '────────────────────────',
    '',
    'one',
    'two',
    '',
    '<b>not a tag</b>',
  ]);
});

test('an address is shown where the text of a link promises another', () => {
  expect(shown('[https://good.example](https://bad.example)', 80)).toEqual([
    'https://good.example (https://bad.example)',
  ]);
  expect(shown('<https://good.example>', 80)).toEqual(['https://good.example']);
});

test('escape sequences of a text become visible', () => {
  const hidden = ['\u001b', '\u202e', '\u0007'];
  for (const text of ['a \u001b[2J b \u202e c', '```\n\u001b]0;title\u0007\n```'])
    expect(hidden.filter((character) => shown(text).join('').includes(character))).toEqual([]);
});

test('no line is wider than the terminal, whatever a text consists of', () => {
  const part = fc.constantFrom(
    'word ',
    '日本語 ',
    '**',
    '`',
    '\n',
    '\n\n',
    '- ',
    '| a | b |\n|--|--|\n',
    '```\n',
    '> ',
    '# ',
    '    ',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 20, max: 200 }), (parts, columns) => {
      for (const line of renderMarkdown(parts.join(''), columns))
        expect(lineWidth(line)).toBeLessThanOrEqual(columns);
    }),
  );
});

test('a very long text is shown without being parsed', () => {
  const text = `**${'a '.repeat(20_000)}**`;
  const lines = renderMarkdown(text, 80);
  expect(lines.every((line) => lineWidth(line) <= 81)).toBe(true);
  expect(plainText(lines)[0]).toMatch(/^\*\*a a /);
});

test('deep nesting ends, and its text is shown', () => {
  for (const mark of ['> ', '- ', '* 1. '])
    expect(shown(`${mark.repeat(2000)}deep`, 80).join('')).toContain('deep');
});
