import type { PhrasingContent } from 'mdast';

/** Returns the text of inline nodes, without their marks. */
export function textOf(nodes: readonly PhrasingContent[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'children' in node ? textOf(node.children) : ''))
    .join('');
}
