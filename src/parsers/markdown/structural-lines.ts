import type { RootContent } from 'mdast';
import { spanOf } from './markdown-document.ts';

export function structuralLinesOf(nodes: readonly RootContent[]): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const node of nodes) {
    const arranges = node.type === 'thematicBreak' || (node.type === 'html' && saysNothing(node.value));
    if (!arranges) continue;
    const { start, end } = spanOf(node);
    for (let line = start; line <= end; line += 1) numbers.add(line);
  }
  return numbers;
}

function saysNothing(html: string): boolean {
  return (
    html
      .replace(/<!--[^]*?(?:-->|$)/g, '')
      .replace(/<summary\b[^<>]*>[^]{0,2000}?<\/summary\s*>/gi, '')
      .replace(/<[^<>]*>/g, '')
      .trim() === ''
  );
}
