/** Markdown as source lines beside remark's tree, so that every decision can name its line. */
import type { Node, Root, RootContent } from 'mdast';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { LineSpan } from './answer-types.ts';

export interface SourceLine {
  /** 1-based. */
  readonly number: number;
  /** Without the line end. */
  readonly text: string;
  /** Offset of the first character, and of the line end, in `source`. */
  readonly start: number;
  readonly end: number;
}

export interface MarkdownDocument {
  /** The text without a byte order mark; all offsets count from here. */
  readonly source: string;
  readonly lines: readonly SourceLine[];
  readonly nodes: readonly RootContent[];
}

/** Emphasis, entities and hard breaks move no block and hide no marker, and cost most of the time. */
const constructsThatDecideNothing = ['attention', 'characterReference', 'hardBreakEscape'];

const processor = unified()
  .data('micromarkExtensions', [gfmTable(), { disable: { null: constructsThatDecideNothing } }])
  .data('fromMarkdownExtensions', [gfmTableFromMarkdown()])
  .use(remarkParse)
  .freeze();

export function parseMarkdown(text: string): MarkdownDocument {
  const source = text.replace(/^\uFEFF+/, '');
  const root: Root = processor.parse(boundNesting(source));
  return { source, lines: splitLines(source), nodes: root.children };
}

export function spanOf(node: Node): LineSpan {
  return { start: node.position?.start.line ?? 1, end: node.position?.end.line ?? 1 };
}

export function linesIn(document: MarkdownDocument, span: LineSpan): readonly SourceLine[] {
  return document.lines.slice(Math.max(0, span.start - 1), span.end);
}

/** The bytes from the first to the last non-blank line of a span; null where all are blank. */
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

/** micromark's line ends: CR LF, LF and a lone CR. */
function splitLines(source: string): readonly SourceLine[] {
  const lines: SourceLine[] = [];
  let start = 0;
  for (const ending of source.matchAll(/\r\n|\n|\r/g)) {
    lines.push(lineOf(source, lines.length + 1, start, ending.index));
    start = ending.index + ending[0].length;
  }
  lines.push(lineOf(source, lines.length + 1, start, source.length));
  return lines;
}

function lineOf(source: string, number: number, start: number, end: number): SourceLine {
  return { number, text: source.slice(start, end), start, end };
}

/**
 * remark's time grows with the square of the nesting: a megabyte of `>` would take an hour. Nothing below a
 * hundred levels decides anything, so deeper container marks are parsed as letters, at the same offsets.
 */
function boundNesting(source: string): string {
  return source.replace(
    /(^|\n|\r)((?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])){100})((?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t]))+)/g,
    (_whole, ending: string, kept: string, deeper: string) => ending + kept + 'x'.repeat(deeper.length),
  );
}
