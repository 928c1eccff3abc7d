import { expect, test } from 'vitest';
import { createPaint } from '../../text/paint.ts';
import { lineWidth, paintLine, plain, styled, type Line } from '../../text/spans.ts';
import { renderFactTable, type FactTable } from './fact-table.ts';
import { renderFields } from './field-list.ts';

const paint = createPaint(false);
const printed = (lines: readonly Line[]) => lines.map((line) => paintLine(line, paint));

const table: FactTable = {
  columns: [{ head: 'Run' }, { head: 'Found', align: 'right' }, { head: 'Age', align: 'right' }],
  textHead: 'What',
  rows: [
    {
      facts: [
        { cell: [styled('20261121-093005-x7k2', 'bold')] },
        { cell: [plain('12')], alone: [plain('12 critical')] },
        { cell: [plain('3 min')], alone: [plain('3 min ago')] },
      ],
      text: [[plain('review: 割り勘 — the way that a bill is split between several guests of a table')]],
    },
    {
      facts: [{ cell: [plain('short')] }, { cell: [plain('-')], alone: null }, { cell: [plain('2 d')] }],
      text: [[plain('a short one')], [plain('and its hint')]],
    },
  ],
};

test('columns are aligned by display width, and a pipe breaks no line', () => {
  expect(printed(renderFactTable(table, Infinity))).toEqual([
    'Run                   Found    Age  What',
    '20261121-093005-x7k2     12  3 min  review: 割り勘 — the way that a bill is split between several guests of a table',
    'short                     -    2 d  a short one',
    '                                    and its hint',
  ]);
});

test('the last column is wrapped between words below its head', () => {
  expect(printed(renderFactTable(table, 66)).slice(0, 4)).toEqual([
    'Run                   Found    Age  What',
    '20261121-093005-x7k2     12  3 min  review: 割り勘 — the way that',
    '                                    a bill is split between',
    '                                    several guests of a table',
  ]);
});

test('without room for columns, each row has lines of its own, with words for its numbers', () => {
  expect(printed(renderFactTable(table, 40))).toEqual([
    '20261121-093005-x7k2',
    '  12 critical · 3 min ago',
    '  review: 割り勘 — the way that a bill',
    '  is split between several guests of a',
    '  table',
    '',
    'short',
    '  2 d',
    '  a short one',
    '  and its hint',
  ]);
});

const widths = Array.from({ length: 161 }, (_, index) => index + 40);

test('no line is wider than the terminal, and no word and no fact is lost, from 40 to 200 columns', () => {
  const words = new Set(
    printed(renderFactTable(table, Infinity))
      .slice(1)
      .join(' ')
      .split(/\s+/)
      .filter((word) => word !== '-'),
  );
  for (const width of widths) {
    const lines = renderFactTable(table, width);
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(width);
    const shown = new Set(printed(lines).join(' ').split(/\s+/));
    expect([width, [...words].filter((word) => !shown.has(word))]).toEqual([width, []]);
  }
});

test('a list of fields fits as well, and a narrow terminal shows each text behind its label', () => {
  const fields = [
    { label: 'by', text: [plain('Codex 0.169.0 (gpt-5.5), ChatGPT login')] },
    { label: 'note', text: [plain('settings from collab.config.yaml')] },
    { label: '', text: [plain('instructions from REVIEW.md')] },
  ];
  expect(printed(renderFields(fields, 60))).toEqual([
    '  by    Codex 0.169.0 (gpt-5.5), ChatGPT login',
    '  note  settings from collab.config.yaml',
    '        instructions from REVIEW.md',
  ]);
  expect(printed(renderFields(fields, 26))).toEqual([
    '  by: Codex 0.169.0',
    '  (gpt-5.5), ChatGPT login',
    '  note: settings from',
    '  collab.config.yaml',
    '  instructions from',
    '  REVIEW.md',
  ]);
  for (const width of widths)
    expect(Math.max(...renderFields(fields, width).map(lineWidth))).toBeLessThanOrEqual(width);
});
