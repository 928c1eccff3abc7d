import type { Code, List, Table } from 'mdast';
import type { LineSpan } from '../answers/answer-types.ts';
import { linesIn, spanOf, textLinesIn, type MarkdownDocument } from '../markdown/markdown-document.ts';
import { readSeverityHeading } from './issue-severity.ts';
import { headingText } from '../answers/section-head.ts';

/** The blocks of an `ISSUES` section, as the collector of issues reads them. */
export type IssueBlock =
  | { readonly kind: 'heading'; readonly text: string; readonly depth: number }
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'list'; readonly list: List }
  | { readonly kind: 'table'; readonly table: Table; readonly span: LineSpan }
  | { readonly kind: 'code'; readonly code: Code; readonly span: LineSpan }
  | { readonly kind: 'quote'; readonly lines: readonly string[] };

export function issueBlocksIn(document: MarkdownDocument, spans: readonly LineSpan[]): readonly IssueBlock[] {
  return spans.flatMap((span) => nodesIn(document, span).flatMap((node) => blocksOf(document, node, span)));
}

/** Uses binary search: an answer may have thousands of spans and nodes. */
function nodesIn({ nodes }: MarkdownDocument, span: LineSpan): MarkdownDocument['nodes'] {
  const indexOf = (line: number): number => {
    let [low, high] = [0, nodes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const node = nodes[middle];
      if (node !== undefined && spanOf(node).end < line) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const [from, to] = [indexOf(span.start), indexOf(span.end)];
  return nodes.slice(from, to + 1).filter((node) => spanOf(node).start <= span.end);
}

function blocksOf(
  document: MarkdownDocument,
  node: MarkdownDocument['nodes'][number],
  span: LineSpan,
): readonly IssueBlock[] {
  const own = { start: Math.max(span.start, spanOf(node).start), end: Math.min(span.end, spanOf(node).end) };
  if (node.type === 'list') return [{ kind: 'list', list: node }];
  if (node.type === 'code') return [{ kind: 'code', code: node, span: own }];
  if (node.type === 'html' && document.structuralLines.has(own.start)) return summaryOf(node.value);
  if (node.type === 'blockquote' || node.type === 'html') {
    return [{ kind: 'quote', lines: linesIn(document, own).map(({ text }) => text) }];
  }
  const texts = textBlocks(document, own);
  return node.type === 'table' ? [{ kind: 'table', table: node, span: own }, ...texts] : texts;
}

/** Returns headings one by one, and the other lines of a node together. */
function textBlocks(document: MarkdownDocument, span: LineSpan): readonly IssueBlock[] {
  const textLines = textLinesIn(document, span);
  const plain = textLines.filter(({ depth }) => depth === null).map(({ line }) => line.text);
  const headings = textLines.flatMap(({ line, depth }) =>
    depth === null ? [] : [{ kind: 'heading' as const, text: headingText(line.text), depth }],
  );
  return plain.length === 0 ? headings : [{ kind: 'lines', lines: plain }, ...headings];
}

/** Reads `<summary>🔴 Critical</summary>` as the heading of a group. */
function summaryOf(html: string): readonly IssueBlock[] {
  return [...html.matchAll(/<summary\b[^<>]*>([^]{0,2000}?)<\/summary\s*>/gi)]
    .map((match) => (match[1] ?? '').replaceAll(/<[^<>]*>/g, '').trim())
    .filter((text) => readSeverityHeading(text) !== null)
    .map((text) => ({ kind: 'heading', text, depth: 6 }));
}
