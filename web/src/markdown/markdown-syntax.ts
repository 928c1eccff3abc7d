/** The Markdown that agents write: GitHub's, without definitions and footnotes. */
import { gfmTable } from 'micromark-extension-gfm-table';
import remarkGfm from 'remark-gfm';
import type { Processor } from 'unified';

type Extension = ReturnType<typeof gfmTable>;

export const markdownPlugins = [remarkGfm, withoutDefinitions];

/**
 * A definition is not drawn where it stands, and a text in blocks has no other place for it: what an agent wrote would be
 * gone. So it is drawn as it was written; `[RESPONSE:REVIEW]: none` has that form too.
 */
function withoutDefinitions(this: Processor): void {
  extend(this, { disable: { null: definitions } });
}

const definitions = ['definition', 'gfmFootnoteDefinition', 'gfmFootnoteCall', 'gfmPotentialFootnoteCall'];

/** As much of it as says where blocks begin. What stands in a line costs most of the time, and moves no block. */
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
