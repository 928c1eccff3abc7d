// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { tokenize } from 'react-diff-view';
import { afterEach, expect, test } from 'vitest';
import type { DiffLine } from '../../../../src/client/review.ts';
import { toHunkData } from '../change-lines.ts';
import { DiffTable, HunkLines } from './diff-table.tsx';

afterEach(cleanup);

const line = (kind: DiffLine['kind'], oldLine: number | null, newLine: number | null): DiffLine => ({
  kind,
  text: `${kind} ${newLine ?? oldLine}`,
  oldLine,
  newLine,
  noNewline: false,
});
const lines = [
  line('context', 1, 1),
  line('removed', 2, null),
  line('removed', 3, null),
  line('added', null, 2),
  line('added', null, 3),
  line('context', 4, 4),
];
const cards = new Map([
  ['N1', 'on both'],
  ['D3', 'on the old'],
  ['I3', 'on the new'],
]);

/** Returns the texts of each row's cells. */
function rowsIn(layout: 'unified' | 'split', tokens: Parameters<typeof DiffTable>[0]['tokens'] = null) {
  const { container } = render(
    <DiffTable {...{ layout, tokens, cards }} marked={new Set(['D3'])}>
      <HunkLines hunk={{ lines }} />
    </DiffTable>,
  );
  return [...container.querySelectorAll('tr')].map(({ cells }) =>
    [...cells].map(({ textContent }) => textContent).join(' | '),
  );
}

test('in one column, each line has both of its numbers, and its card is below it', () => {
  expect(rowsIn('unified')).toEqual([
    '1 | 1 | context 1',
    'on both',
    '2 | removed | removed 2',
    '3 | removed | removed 3',
    'on the old',
    ' | 2added | added 2',
    ' | 3added | added 3',
    'on the new',
    '4 | 4 | context 4',
  ]);
});

test('in two columns, the removed lines are beside the added ones that follow them, and a card on its side', () => {
  expect(rowsIn('split')).toEqual([
    '1 | context 1 | 1 | context 1',
    'on both',
    '2removed | removed 2 | 2added | added 2',
    '3removed | removed 3 | 3added | added 3',
    'on the old | on the new',
    '4 | context 4 | 4 | context 4',
  ]);
});

const highlighted = [
  {
    type: 'element',
    properties: { className: ['hljs-keyword'] },
    children: [{ type: 'text', value: 'context' }],
  },
  { type: 'text', value: ' 1' },
];

test('a word has the class that the worker sends for it', () => {
  const lengths = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 };
  const hunk = toHunkData({ ...lengths, heading: '', lines: [line('context', 1, 1)] });
  const refractor = { highlight: () => highlighted };
  rowsIn('unified', tokenize([hunk], { highlight: true, refractor, language: 'x' }));
  expect(document.querySelector('td.diff-code-normal')?.innerHTML).toBe(
    '<span class="hljs-keyword">context</span> 1',
  );
});

test('a line is marked on its numbers alone, and only the lines that have colors are drawn in parts', () => {
  const word = {
    type: 'element',
    properties: { className: ['hljs-keyword'] },
    children: [{ type: 'text', value: 'const' }],
  };
  const edit = { type: 'edit', value: ' a', children: [] };
  rowsIn('unified', { old: [], new: [[word, edit, { type: 'text', value: ' = 1' }]] });
  expect(document.querySelector('td.diff-code-normal')?.innerHTML).toBe(
    '<span class="hljs-keyword">const</span><span class="diff-code-edit"> a</span> = 1',
  );
  expect(document.querySelectorAll('.diff-gutter-selected')).toHaveLength(2);
  expect(document.querySelector('td.diff-code-delete')?.innerHTML).toBe('removed 2');
});
