/**
 * A list of things with the same facts, one row each: aligned columns if there is room, a few lines for each row if not. No
 * fact is left out at any width.
 */
import { lineWidth, plain, styled, trimEnd, wrapSpans, type Line } from '../../text/spans.ts';

export interface FactColumn {
  readonly head: string;
  readonly align?: 'right';
}

/** A fact as a cell of its column, and as words for a row without column heads. */
export interface Fact {
  readonly cell: Line;
  /** The words; null leaves the fact out, the cell is the default. */
  readonly alone?: Line | null;
}

export interface FactRow {
  /** One for each column; the first is the name of the row. */
  readonly facts: readonly Fact[];
  /** The last column; each line is wrapped. */
  readonly text: readonly Line[];
}

export interface FactTable {
  readonly columns: readonly FactColumn[];
  /** The head of the last column. */
  readonly textHead: string;
  readonly rows: readonly FactRow[];
}

const gap = '  ';
/** A narrower last column has only a few words in each line. */
const leastTextWidth = 24;

/** `width` is in terminal columns; infinite on a pipe. */
export function renderFactTable(table: FactTable, width: number): readonly Line[] {
  const widths = table.columns.map(({ head }, index) =>
    Math.max(...[[plain(head)], ...table.rows.map((row) => cellOf(row, index))].map(lineWidth)),
  );
  const before = widths.reduce((sum, columnWidth) => sum + columnWidth + gap.length, 0);
  const widest = Math.max(...table.rows.flatMap(({ text }) => text.map(lineWidth)), 0);
  const fits = before + Math.min(widest, leastTextWidth) <= width;
  return fits ? asTable(table, widths, width - before) : asList(table.rows, width);
}

function asTable(
  { columns, textHead, rows }: FactTable,
  widths: readonly number[],
  textWidth: number,
): readonly Line[] {
  const render = (cells: readonly Line[]): Line =>
    cells.flatMap((cell, index) => {
      const room = plain(' '.repeat((widths[index] ?? 0) - lineWidth(cell)));
      return columns[index]?.align === 'right' ? [room, ...cell, plain(gap)] : [...cell, room, plain(gap)];
    });
  const margin = plain(' '.repeat(widths.reduce((sum, width) => sum + width + gap.length, 0)));
  const head = [...render(columns.map((column) => [styled(column.head, 'dim')])), styled(textHead, 'dim')];
  return [
    head,
    ...rows.flatMap((row) => {
      const [first = [], ...rest] = row.text.flatMap((line) => wrapped(line, textWidth));
      return [
        [...render(row.facts.map(({ cell }) => cell)), ...first],
        ...rest.map((line) => [margin, ...line]),
      ];
    }),
  ].map(trimEnd);
}

function asList(rows: readonly FactRow[], width: number): readonly Line[] {
  const indent = plain(gap);
  return rows.flatMap(({ facts, text }, number) => {
    const [name = [], ...others] = facts.map(({ cell, alone = cell }) => alone ?? []);
    const said = others.filter((line) => lineWidth(line) > 0);
    const joined = said.flatMap((line, index) => (index === 0 ? line : [plain(' · '), ...line]));
    return [
      ...(number === 0 ? [] : [[]]),
      ...wrapSpans(name, width),
      ...[joined, ...text]
        .flatMap((line) => wrapSpans(line, width - gap.length))
        .map((line) => [indent, ...line]),
    ];
  });
}

function wrapped(line: Line, width: number): readonly Line[] {
  return lineWidth(line) <= width ? [line] : wrapSpans(line, width);
}

function cellOf({ facts }: FactRow, index: number): Line {
  return facts[index]?.cell ?? [];
}
