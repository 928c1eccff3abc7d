import type { Definition, Link, Nodes } from 'mdast';
import type { DiscountCause } from '../answers/answer-types.ts';
import type { MarkdownDocument, TextLine } from './markdown-document.ts';

/** Returns the inline construct that hides a line's character at `column`, or null. */
export function coverOfLine(
  document: MarkdownDocument,
  { line, node }: TextLine,
  column: number,
): DiscountCause | null {
  return node.type === 'table' ? null : coverOf(node, line.start + column, document.source);
}

/**
 * Returns the inline construct that contains the character at `offset` and started before it. A construct that starts
 * with this very character does not hide it: backticks around a tag are decoration (X001-1).
 */
function coverOf(node: Nodes, offset: number, source: string): DiscountCause | null {
  if (node.type === 'definition') return offset >= titleStart(node, source) ? 'link_title' : null;
  if (!('children' in node)) return null;
  const child = lastBefore(node.children, offset);
  return child === undefined || offset >= endOf(child) ? null : coverOfChild(child, offset, source);
}

/** Uses binary search: a paragraph may contain tens of thousands of spans and lines. */
function lastBefore(children: readonly Nodes[], offset: number): Nodes | undefined {
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const child = children[middle];
    if (child !== undefined && startOf(child) < offset) low = middle + 1;
    else high = middle;
  }
  return children[low - 1];
}

function coverOfChild(child: Nodes, offset: number, source: string): DiscountCause | null {
  if (child.type === 'inlineCode') return 'inline_code';
  if (child.type === 'html') return 'html';
  if (child.type === 'image' || child.type === 'imageReference') return 'image';
  if (child.type === 'link' && offset > endOfWords(child)) return 'link_title';
  return coverOf(child, offset, source);
}

/**
 * Returns the end of the link text, which the destination and the title follow; a link without text has nothing before
 * them.
 */
function endOfWords(link: Link): number {
  const last = link.children.at(-1);
  return last === undefined ? startOf(link) : endOf(last);
}

/**
 * Finds the start of a definition's title, which has no position in mdast: it follows the label and the destination.
 */
function titleStart(node: Definition, source: string): number {
  if (node.title === null || node.title === undefined) return Infinity;
  const raw = source.slice(startOf(node), endOf(node));
  const upToTitle = /^\[(?:\\[^]|[^\]\\])*\]:\s*(?:<(?:\\[^]|[^>\\])*>|\S+)\s+/.exec(raw);
  return startOf(node) + (upToTitle?.[0].length ?? 0);
}

function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}

function endOf(node: Nodes): number {
  return node.position?.end.offset ?? 0;
}
