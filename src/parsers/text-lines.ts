import type { RootContent } from 'mdast';
import { coverOf } from './inline-cover.ts';
import { linesIn, spanOf, type MarkdownDocument, type SourceLine } from './markdown-document.ts';
import type { DiscountCause } from './answer-types.ts';

/** A source line of a root-level paragraph, heading or definition: where markers and section heads may stand. */
export interface TextLine {
  readonly line: SourceLine;
  /** 1–6 where the line is a heading of its own, else null. */
  readonly depth: number | null;
  /** The last source line that belongs to it: the underline of a setext heading. */
  readonly endLine: number;
  readonly node: RootContent;
}

export function textLinesOf(document: MarkdownDocument, node: RootContent): readonly TextLine[] {
  const lines = linesIn(document, spanOf(node));
  if (node.type === 'heading') return headingLines(lines, node, node.depth);
  if (node.type === 'paragraph' || node.type === 'definition') return lines.map((line) => plain(line, node));
  if (node.type !== 'table') return [];
  // A paragraph that follows a table without a blank line is a row to GFM.
  return lines.filter((line) => !line.text.includes('|')).map((line) => plain(line, node));
}

/** The inline construct that hides the line's first character, or null. */
export function coverOfLine(
  document: MarkdownDocument,
  { line, node }: TextLine,
  column: number,
): DiscountCause | null {
  return node.type === 'table' ? null : coverOf(node, line.start + column, document.source);
}

function headingLines(lines: readonly SourceLine[], node: RootContent, depth: number): readonly TextLine[] {
  const endLine = spanOf(node).end;
  if (lines.length < 2) return lines.map((line) => ({ line, depth, endLine, node }));
  const texts = lines.slice(0, -1);
  // A lone dash under `NAME:` is the section's content, "nothing" (X001-4), not an underline.
  if (lines.at(-1)?.text.trim() === '-') return texts.map((line) => plain(line, node));
  return texts.map((line, index) =>
    index === texts.length - 1 ? { line, depth, endLine, node } : plain(line, node),
  );
}

function plain(line: SourceLine, node: RootContent): TextLine {
  return { line, depth: null, endLine: line.number, node };
}
