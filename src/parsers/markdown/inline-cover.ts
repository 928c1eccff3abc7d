import type { Definition, Link, Nodes } from 'mdast';
import type { DiscountCause } from '../answers/answer-types.ts';
import { rangeOf, type MarkdownDocument, type TextLine } from './markdown-document.ts';

/** Returns the inline construct that hides a line's character at `column`, or null. */
export function coverOfLine(
  document: MarkdownDocument,
  { line, node }: TextLine,
  column: number,
): DiscountCause | null {
  const { source } = document;
  const offset = line.start + column;
  if (node.type === 'table') return null;
  if (node.type === 'definition') return offset >= titleStart(node, source) ? 'link_title' : null;
  const { start } = rangeOf(node);
  if (!/[[<`]/.test(source.slice(start, offset))) return null;
  const inline = document.inlineOf(node);
  // With so many marks, one of them may hide the character.
  return inline === null ? 'inline_code' : coverOf(inline, offset - start);
}

/**
 * Returns the inline construct that contains the character at `offset` and started before it. A construct that starts
 * with this very character does not hide it: backticks around a tag are decoration (X001-1).
 */
function coverOf(node: Nodes, offset: number): DiscountCause | null {
  if (!('children' in node)) return null;
  const child = lastBefore(node.children, offset);
  return child === undefined || offset >= rangeOf(child).end ? null : coverOfChild(child, offset);
}

/** Uses binary search: a paragraph may contain tens of thousands of spans and lines. */
function lastBefore(children: readonly Nodes[], offset: number): Nodes | undefined {
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const child = children[middle];
    if (child !== undefined && rangeOf(child).start < offset) low = middle + 1;
    else high = middle;
  }
  return children[low - 1];
}

function coverOfChild(child: Nodes, offset: number): DiscountCause | null {
  if (child.type === 'inlineCode') return 'inline_code';
  if (child.type === 'html') return 'html';
  if (child.type === 'image' || child.type === 'imageReference') return 'image';
  if (child.type === 'link' && offset > endOfWords(child)) return 'link_title';
  return coverOf(child, offset);
}

/**
 * Returns the end of the link text, which the destination and the title follow; a link without text has nothing before
 * them.
 */
function endOfWords(link: Link): number {
  const last = link.children.at(-1);
  return last === undefined ? rangeOf(link).start : rangeOf(last).end;
}

/**
 * Finds the start of a definition's title, which has no position in mdast: it follows the label and the destination.
 */
function titleStart(node: Definition, source: string): number {
  if (node.title === null || node.title === undefined) return Infinity;
  const { start, end } = rangeOf(node);
  const raw = source.slice(start, end);
  const upToTitle = /^\[(?:\\[^]|[^\]\\])*\]:\s*(?:<(?:\\[^]|[^>\\])*>|\S+)\s+/.exec(raw);
  return start + (upToTitle?.[0].length ?? 0);
}
