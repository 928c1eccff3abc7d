import { expect, test } from 'vitest';
import { readIssueTable, type IssueRow } from './issue-table.ts';
import { spanOf } from '../markdown/markdown-document.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';

function rowsOf(...lines: readonly string[]): readonly IssueRow[] | null {
  const document = parseMarkdown(lines.join('\n'));
  const [table] = document.nodes;
  if (table?.type !== 'table') throw new Error('not a table');
  return readIssueTable(document, table, spanOf(table));
}

function row(fields: Partial<IssueRow>): IssueRow {
  return {
    title: '',
    location: '',
    text: '',
    remedy: '',
    severity: '',
    claim: '',
    quote: '',
    none: false,
    ...fields,
  };
}

test('X001-3.4 columns that mean the same are joined, empty words and blanks left out', () => {
  expect(
    rowsOf(
      '| Id | File | Line | Problem | Impact | Reason | Fix | Action | Code |',
      '|--|--|--|--|--|--|--|--|--|',
      '| 1 | `a.ts` | `4` | leak | slow | never closed | close | test | `x` |',
      '| 2 | b.ts | - | - | hangs | | N/A | | |',
      '|  3 |c.ts| |  | loops | - | | | |',
    ),
  ).toEqual([
    row({
      title: 'leak',
      text: 'slow\nnever closed',
      location: 'a.ts:4',
      remedy: 'close\ntest',
      quote: '`x`',
    }),
    row({ title: 'hangs', location: 'b.ts' }),
    row({ title: 'loops', location: 'c.ts' }),
  ]);
});

test('X001-3.4 a table without a column for problems or reasons lists no issues', () => {
  expect(rowsOf('| a | Fix |', '|--|--|', '| 1 | 2 |')).toBeNull();
});

test('X001-3.4 a pipe in a code span splits no cell where the row would have too many', () => {
  expect(
    rowsOf(
      '| Severity | Why | Extra |',
      '|--|--|--|',
      '| High | `a|b` slow | y |',
      '| Low | a \\| b | y |',
      '| Low | ``a ` | b`` | y |',
    ),
  ).toEqual([
    row({ severity: 'High', title: '`a|b` slow' }),
    row({ severity: 'Low', title: 'a | b' }),
    row({ severity: 'Low', title: '``a ` | b``' }),
  ]);
});

test('X001-3.4 a decorated head is read, and a row of blanks or nones says that there is nothing', () => {
  expect(rowsOf('| No. | **Issue** |', '|--|--|', '| 1 | leak |', '| 2 | |', '| - | None |')).toEqual([
    row({ title: 'leak' }),
    row({ none: true }),
    row({ none: true }),
  ]);
});

test('X001-3.4 only the rows inside the section are read', () => {
  const document = parseMarkdown('| Issue |\n|--|\n| one |\n| two |\n| three |');
  const [table] = document.nodes;
  if (table?.type !== 'table') throw new Error('not a table');
  const read = readIssueTable(document, table, { start: 4, end: 4 });
  expect(read).toEqual([row({ title: 'two' })]);
});

test('a column of classes is neither the title nor a reason to read a row as an issue', () => {
  expect(
    rowsOf('| Category | Issue |', '|--|--|', '| Security | leak |', '| Naming | name |', '| Tests | None |'),
  ).toEqual([
    row({ claim: 'Security', title: 'leak' }),
    row({ claim: 'Naming', title: 'name' }),
    row({ claim: 'Tests', none: true }),
  ]);
});
