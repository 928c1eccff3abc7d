import type { List } from 'mdast';
import { expect, test } from 'vitest';
import { entriesOfItem, entriesOfNode, entriesOfRow, type IssueEntry } from './issue-entries.ts';
import type { IssueRow } from './issue-table.ts';
import { spanOf } from '../markdown/markdown-document.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';

function line(text: string): IssueEntry {
  return { kind: 'line', text };
}

function entriesOfItems(text: string): readonly (readonly IssueEntry[])[] {
  const document = parseMarkdown(text);
  const lists = document.nodes.filter((node): node is List => node.type === 'list');
  return lists.flatMap(({ children }) => children.map((item) => entriesOfItem(document, item)));
}

test('an item has its lines without the bullet and its own indent', () => {
  expect(entriesOfItems('1. title\n   why\n\n     deeper\n2.  other\n    more')).toEqual([
    [line('title'), line('why'), line(''), line('  deeper')],
    [line('other'), line('more')],
  ]);
});

test('a lazy line keeps all its words; at most the indent is removed', () => {
  expect(entriesOfItems('- title\nlazy\n lazy too\n  at the indent\n\t tabbed')).toEqual([
    [line('title'), line('lazy'), line('lazy too'), line('at the indent'), line('tabbed')],
  ]);
});

test('an empty item has one empty line, with its lines below it', () => {
  expect(entriesOfItems('-\n- b')).toEqual([[line('')], [line('b')]]);
  expect(entriesOfItems('  -\n')).toEqual([[line('')]]);
});

test('a code block is one entry, with its language and its source without the indent', () => {
  const text = '- title\n\n  ```ts\n  open();\n    close();\n  ```\n  behind\n\n      indented\n';
  expect(entriesOfItems(text)).toEqual([
    [
      line('title'),
      line(''),
      { kind: 'code', code: 'open();\n  close();', language: 'ts', raw: '```ts\nopen();\n  close();\n```' },
      line('behind'),
      line(''),
      { kind: 'code', code: 'indented', language: null, raw: '    indented' },
    ],
  ]);
});

test('code that opens an item loses the bullet, and code in a nested list or quote is found', () => {
  expect(entriesOfItems('- ~~~\n  a\n  ~~~\n  - b\n    > ```\n    > c\n    > ```\n')).toEqual([
    [
      { kind: 'code', code: 'a', language: null, raw: '~~~\na\n~~~' },
      line('- b'),
      { kind: 'code', code: 'c', language: null, raw: '  > ```\n  > c\n  > ```' },
    ],
  ]);
});

test('a node of the section itself keeps its indent; only the lines of the span are read', () => {
  const document = parseMarkdown('a\n  b\nc\nd\n\n```\ne\n```\n');
  const [paragraph, code] = document.nodes;
  if (paragraph === undefined || code === undefined) throw new Error('two blocks');
  expect(entriesOfNode(document, paragraph, { start: 2, end: 3 })).toEqual([line('  b'), line('c')]);
  expect(entriesOfNode(document, code, spanOf(code))).toEqual([
    { kind: 'code', code: 'e', language: null, raw: '```\ne\n```' },
  ]);
});

const row: IssueRow = {
  title: 'Leak',
  location: '`a.ts:3`',
  text: 'never closed',
  remedy: 'close it',
  severity: '',
  claim: 'Data loss',
  quote: '`open()`',
  none: false,
};

test('a row gives the labeled lines of an equivalent item', () => {
  expect(entriesOfRow(row)).toEqual([
    line('Class: data_loss'),
    line('Location: `a.ts:3`'),
    line('Why: never closed'),
    { kind: 'code', code: 'open()', language: null, raw: '`open()`' },
    line('Fix: close it'),
  ]);
});

test.each(['', '-', 'N/A'])('an empty cell gives no line, and a place of %j counts as none', (location) => {
  expect(entriesOfRow({ ...row, claim: 'Naming', location, text: '', remedy: '', quote: '' })).toEqual([]);
});

test.each([
  ['open()', 'open()'],
  ['`` a`b ``', ' a`b '],
  ['`a` or `b`', 'a` or `b'],
  ['a `b` c', 'a `b` c'],
])('the code of the cell %j is %j', (quote, code) => {
  expect(entriesOfRow({ ...row, quote })).toContainEqual({ kind: 'code', code, language: null, raw: quote });
});
