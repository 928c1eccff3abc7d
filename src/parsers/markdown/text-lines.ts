import type { RootContent } from 'mdast';
import {
  linesIn,
  spanOf,
  type MarkdownDocument,
  type SourceLine,
  type TextLine,
} from './markdown-document.ts';

export function textLinesOf(
  document: Pick<MarkdownDocument, 'lines'>,
  node: RootContent,
): readonly TextLine[] {
  const lines = linesIn(document, spanOf(node));
  if (node.type === 'heading') return headingLines(lines, node, node.depth);
  if (node.type === 'paragraph' || node.type === 'definition') return lines.map((line) => plain(line, node));
  if (node.type !== 'table') return [];
  // A paragraph that follows a table without a blank line is a row to GFM.
  return lines.filter((line) => !line.text.includes('|')).map((line) => plain(line, node));
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
