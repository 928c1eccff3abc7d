/** The Markdown of agents: GitHub's, without definitions and footnotes. */
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { Processor } from 'unified';

type Extension = ReturnType<typeof gfmTable>;

export const markdownPlugins = [gitHubSyntax, withoutDefinitions];

/** Like `remark-gfm`, which also loads the way back from a tree to Markdown: a seventh of the script for Markdown. */
function gitHubSyntax(this: Processor): void {
  extend(this, gfm());
  const parts = this.data();
  parts.fromMarkdownExtensions ??= [];
  parts.fromMarkdownExtensions.push(gfmFromMarkdown());
}

/**
 * A definition is not drawn in its place, and a text in blocks has no other place for it: the agent's words would be
 * lost. So it is drawn as source text; `[RESPONSE:REVIEW]: none` also has that form.
 */
function withoutDefinitions(this: Processor): void {
  extend(this, { disable: { null: definitions } });
}

const definitions = ['definition', 'gfmFootnoteDefinition', 'gfmFootnoteCall', 'gfmPotentialFootnoteCall'];

/** The part of the syntax that decides where blocks begin. Inline syntax costs most of the time, and moves no block. */
export function blockSyntax(this: Processor): void {
  extend(this, gfmTable());
  extend(this, { disable: { null: [...definitions, ...withinLines] } });
}

const withinLines = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
];

function extend(processor: Processor, extension: Extension): void {
  const parts = processor.data();
  parts.micromarkExtensions ??= [];
  parts.micromarkExtensions.push(extension);
}
