/** The nodes of our Markdown documents, and their conversion to text. */
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import type { BlockContent, PhrasingContent, RootContent } from 'mdast';
import { remark } from 'remark';
import type { Block } from './foreign-markdown.ts';

export function renderDocument(children: readonly RootContent[]): string {
  return remark()
    .data('settings', { bullet: '-', rule: '-', fences: true })
    .data('toMarkdownExtensions', [gfmTableToMarkdown({ tablePipeAlign: false })])
    .stringify({ type: 'root', children: [...children] });
}

export function heading(depth: 1 | 2 | 3 | 4, children: readonly PhrasingContent[]): Block {
  return { type: 'heading', depth, children: [...children] };
}

export function paragraph(children: readonly PhrasingContent[]): BlockContent {
  return { type: 'paragraph', children: [...children] };
}

export function bullets(items: readonly (readonly Block[])[]): Block {
  return {
    type: 'list',
    spread: false,
    children: items.map((children) => ({ type: 'listItem', spread: false, children: [...children] })),
  };
}

/** The first row is the header. */
export function table(rows: readonly (readonly (readonly PhrasingContent[])[])[]): Block {
  return {
    type: 'table',
    children: rows.map((cells) => ({
      type: 'tableRow',
      children: cells.map((children) => ({ type: 'tableCell', children: [...children] })),
    })),
  };
}

export function text(value: string): PhrasingContent {
  return { type: 'text', value };
}

export function strong(...children: readonly PhrasingContent[]): PhrasingContent {
  return { type: 'strong', children: [...children] };
}

/** An HTML comment. */
export function htmlComment(value: string): Block {
  return { type: 'html', value: `<!-- ${value} -->` };
}
