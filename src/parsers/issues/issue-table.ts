import type { Table } from 'mdast';
import type { LineSpan } from '../answers/answer-types.ts';
import { isEmptyWord, saysNoProblemOfGrade } from '../answers/none-words.ts';
import { linesIn, spanOf, type MarkdownDocument } from '../markdown/markdown-document.ts';

/** One row of an issue table, by the meaning of its columns. */
export interface IssueRow {
  readonly title: string;
  readonly location: string;
  readonly text: string;
  readonly remedy: string;
  readonly severity: string;
  readonly claim: string;
  readonly quote: string;
  /** True if the row has no issue: `| - | - | None | - |`. */
  readonly none: boolean;
}

type Column = 'number' | 'severity' | 'claim' | 'location' | 'line' | 'title' | 'text' | 'remedy' | 'quote';

const columns: readonly (readonly [Column, RegExp])[] = [
  ['number', /^(?:#|no\.?|id|番号)$/i],
  ['severity', /severity|grade|level|priority|重要度|深刻度/i],
  ['claim', /^(?:class|claim class|category|分類|種別|カテゴリ)$/i],
  ['remedy', /fix|recommend|remedy|solution|suggest|action|修正|対応|対策|提案|推奨/i],
  ['quote', /^(?:code|quote|quotation|引用|コード)$/i],
  ['location', /location|file|where|place|path|場所|ファイル|位置|箇所/i],
  ['line', /^lines?$|^行(?:番号)?$/i],
  ['text', /impact|why|reason|detail|rationale|影響|理由|詳細/i],
  ['title', /issue|problem|finding|title|description|summary|claim|問題|指摘|内容|課題/i],
];

/** Reads the rows of a table that lists issues; returns null for any other table. */
export function readIssueTable(
  document: MarkdownDocument,
  table: Table,
  span: LineSpan,
): readonly IssueRow[] | null {
  const rows = linesIn(document, spanOf(table)).filter((line) => line.text.includes('|'));
  const header = cellsOf(rows[0]?.text ?? '', null);
  const roles = header.map((cell) => columns.find(([, pattern]) => pattern.test(bare(cell)))?.[0] ?? null);
  if (!roles.includes('title') && !roles.includes('text')) return null;
  return rows
    .slice(2)
    .filter((line) => line.number >= span.start && line.number <= span.end)
    .map((line) => rowOf(roles, cellsOf(line.text, header.length)));
}

function rowOf(roles: readonly (Column | null)[], cells: readonly string[]): IssueRow {
  const cellsAs = (column: Column) =>
    roles.flatMap((role, index) => (role === column ? [(cells[index] ?? '').trim()] : []));
  const [place, line] = [cellsAs('location').join(' '), cellsAs('line').join(' ')];
  const titles = [...cellsAs('title'), ...cellsAs('text')].filter(saysSomething);
  const told = cells.filter((_cell, index) => !['number', 'severity', 'claim'].includes(roles[index] ?? ''));
  return {
    title: titles[0] ?? '',
    text: titles.slice(1).join('\n'),
    location: saysSomething(line) ? `${place.replaceAll('`', '')}:${line.replaceAll('`', '')}` : place,
    remedy: cellsAs('remedy').filter(saysSomething).join('\n'),
    severity: cellsAs('severity').join(' '),
    claim: cellsAs('claim').join(' '),
    quote: cellsAs('quote').join(' '),
    none: told.every((cell) => cell.trim() === '' || saysNoProblemOfGrade(cell)),
  };
}

function saysSomething(cell: string): boolean {
  return cell !== '' && !isEmptyWord(cell);
}

/**
 * Splits a row into cells. GFM splits at every pipe without a backslash, also inside a code span; if that gives more
 * cells than the header has, the row is split again with code spans whole.
 */
function cellsOf(row: string, count: number | null): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  const strict = inner.split(/(?<!\\)\|/);
  const whole = splitOutsideCode(inner);
  const cells = count !== null && strict.length > count && whole.length === count ? whole : strict;
  return cells.map((cell) => cell.replaceAll('\\|', '|').trim());
}

function splitOutsideCode(row: string): readonly string[] {
  const cells: string[][] = [[]];
  for (const [token] of row.matchAll(/(?<!`)(`+)(?!`).{0,500}?(?<!`)\1(?!`)|\\.|[^]/gs)) {
    if (token === '|') cells.push([]);
    else cells.at(-1)?.push(token);
  }
  return cells.map((tokens) => tokens.join(''));
}

function bare(cell: string): string {
  return cell.replaceAll(/[*_`]/g, '').trim();
}
