/** The Markdown of agents: GitHub's, without definitions and footnotes. */
import { gfmTable } from 'micromark-extension-gfm-table';
import remarkGfm from 'remark-gfm';
import type { Processor } from 'unified';

type Extension = ReturnType<typeof gfmTable>;

export const markdownPlugins = [remarkGfm, withoutDefinitions];

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
