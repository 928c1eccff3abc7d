import { spanOf, type MarkdownDocument } from './markdown-document.ts';

/** Source lines that arrange and say nothing: rules between sections, comments, `<details>` and its summary. */
export function structuralLinesOf(document: MarkdownDocument): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const node of document.nodes) {
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
      .replace(/<summary\b[^>]*>[^]*?(?:<\/summary\s*>|$)/gi, '')
      .replace(/<[^>]*>/g, '')
      .trim() === ''
  );
}
