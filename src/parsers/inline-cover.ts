import type { Definition, Nodes } from 'mdast';
import type { DiscountCause } from './answer-types.ts';

/**
 * The inline construct that the character at `offset` lies in, begun before it. A construct that begins with
 * this very character does not cover it: backticks around a tag are decoration (X001-1).
 */
export function coverOf(node: Nodes, offset: number, source: string): DiscountCause | null {
  if (node.type === 'definition') return offset >= titleStart(node, source) ? 'link_title' : null;
  if (!('children' in node)) return null;
  const child = node.children.find((candidate) => startOf(candidate) < offset && offset < endOf(candidate));
  return child === undefined ? null : coverOfChild(child, offset, source);
}

function coverOfChild(child: Nodes, offset: number, source: string): DiscountCause | null {
  if (child.type === 'inlineCode') return 'inline_code';
  if (child.type === 'html') return 'html';
  if (child.type === 'image' || child.type === 'imageReference') return 'image';
  if (child.type === 'link' && offset > endOf(child.children.at(-1) ?? child)) return 'link_title';
  return coverOf(child, offset, source);
}

/** mdast gives a definition's title no position: it opens after the label and the destination. */
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
