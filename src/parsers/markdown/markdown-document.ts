/** Markdown as source lines with remark's tree, so that every decision can name its line. */
import type { Node, Root, RootContent } from 'mdast';
import type { LineSpan } from '../answers/answer-types.ts';

export interface SourceLine {
  /** 1-based. */
  readonly number: number;
  /** The text without the line end. */
  readonly text: string;
  /** Offset of the first character, and of the line end, in `source`. */
  readonly start: number;
  readonly end: number;
}

/** A source line of a root-level paragraph, heading or definition: the only places of markers and section headings. */
export interface TextLine {
  readonly line: SourceLine;
  /** 1–6 if the line is a heading, otherwise null. */
  readonly depth: number | null;
  /** The last source line that belongs to it: the underline of a setext heading. */
  readonly endLine: number;
  readonly node: RootContent;
}

export interface MarkdownDocument {
  /** The text without a byte order mark; all offsets count from here. */
  readonly source: string;
  readonly lines: readonly SourceLine[];
  readonly nodes: readonly RootContent[];
  /** Text lines by line number. */
  readonly textLines: ReadonlyMap<number, TextLine>;
  /** Lines with structure but no content: rules, comments, `<details>` and its summary. */
  readonly structuralLines: ReadonlySet<number>;
  /**
   * Parses the inline constructs of a block, which `nodes` lack; offsets count from the start of the block. Returns null
   * if there are too many.
   */
  readonly inlineOf: (node: RootContent) => Root | null;
}

/** Returns the offsets of a node in the text that it was parsed from. */
export function rangeOf({ position }: Node): { readonly start: number; readonly end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

export function spanOf(node: Node): LineSpan {
  return { start: node.position?.start.line ?? 1, end: node.position?.end.line ?? 1 };
}

export function linesIn(document: Pick<MarkdownDocument, 'lines'>, span: LineSpan): readonly SourceLine[] {
  return document.lines.slice(Math.max(0, span.start - 1), span.end);
}

/** Returns the bytes from the first to the last non-blank line of a span; null if all are blank. */
export function sliceTrimmed(
  document: MarkdownDocument,
  span: LineSpan,
): { readonly text: string; readonly span: LineSpan } | null {
  const filled = linesIn(document, span).filter((line) => line.text.trim() !== '');
  const [first, last] = [filled[0], filled.at(-1)];
  if (first === undefined || last === undefined) return null;
  return {
    text: document.source.slice(first.start, last.end),
    span: { start: first.number, end: last.number },
  };
}

export function textLinesIn(document: MarkdownDocument, span: LineSpan): readonly TextLine[] {
  return linesIn(document, span).flatMap((line) => document.textLines.get(line.number) ?? []);
}
