/** A table of a text, as wide as its cells need; one that is too wide becomes a list of its rows. */
import { lineWidth, plain, styled, wrapSpans, type Line, type Span } from '../../text/spans.ts';

const gap = '  ';

/** The first row is the head. */
export function renderTable(
  rows: readonly (readonly (readonly Span[])[])[],
  columns: number,
): readonly Line[] {
  const [head = [], ...body] = rows.map((row) => row.map(onOneLine));
  const widths = head.map((_, index) =>
    Math.max(...[head, ...body].map((row) => lineWidth(row[index] ?? []))),
  );
  const total = widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);
  if (total > columns) return asList(head, body, columns);
  const render = (row: readonly Line[]): Line =>
    row.flatMap((cell, index) => {
      const isLast = index === row.length - 1;
      const missing = (widths[index] ?? 0) - lineWidth(cell);
      return isLast ? cell : [...cell, plain(' '.repeat(missing) + gap)];
    });
  const rule = widths.map((width) => '─'.repeat(width)).join(gap);
  return [render(head.map(bold)), [styled(rule, 'dim')], ...body.map(render)];
}

function asList(head: readonly Line[], body: readonly (readonly Line[])[], columns: number): readonly Line[] {
  return body.flatMap((row, number) => [
    ...(number === 0 ? [] : [[]]),
    ...row.flatMap((cell, index) => wrapSpans([...bold(head[index] ?? []), plain(': '), ...cell], columns)),
  ]);
}

function onOneLine(cell: readonly Span[]): Line {
  return cell.map(({ text, styles }) => ({ text: text.replace(/\s+/g, ' '), styles }));
}

function bold(cell: Line): Line {
  return cell.map(({ text, styles }) => ({ text, styles: [...styles, 'bold'] }));
}
