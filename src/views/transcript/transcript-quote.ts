import type { PhrasingContent } from 'mdast';
import { foreignBlocks, type Block } from './foreign-markdown.ts';
import { paragraph, text } from './markdown-nodes.ts';

/** Renders foreign Markdown as a quote: its structure stays, and ends with the quote. */
export function quote(markdown: string): Block {
  const blocks = foreignBlocks(markdown);
  return {
    type: 'blockquote',
    children: blocks.length === 0 ? [paragraph([text('(nothing)')])] : [...blocks],
  };
}

export function strongWords(words: string): PhrasingContent {
  return { type: 'strong', children: [text(words)] };
}
