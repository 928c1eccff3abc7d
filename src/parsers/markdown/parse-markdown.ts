import type { Root } from 'mdast';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { boundNesting } from './bound-nesting.ts';
import type { MarkdownDocument, SourceLine } from './markdown-document.ts';
import { structuralLinesOf } from './structural-lines.ts';
import { textLinesOf } from './text-lines.ts';

/**
 * Constructs without influence on blocks and markers: emphasis, entities and hard breaks, which take most of the time.
 */
const constructsThatDecideNothing = ['attention', 'characterReference', 'hardBreakEscape'];

const processor = unified()
  .data('micromarkExtensions', [gfmTable(), { disable: { null: constructsThatDecideNothing } }])
  .data('fromMarkdownExtensions', [gfmTableFromMarkdown()])
  .use(remarkParse)
  .freeze();

export function parseMarkdown(text: string): MarkdownDocument {
  const source = text.replace(/^\uFEFF+/, '');
  const root: Root = processor.parse(boundNesting(source));
  const [lines, nodes] = [splitLines(source), root.children];
  const textLines = nodes.flatMap((node) => textLinesOf({ lines }, node));
  return {
    source,
    lines,
    nodes,
    textLines: new Map(textLines.map((textLine) => [textLine.line.number, textLine])),
    structuralLines: structuralLinesOf(nodes),
  };
}

/** Splits at micromark's line ends: CR LF, LF and a lone CR. */
function splitLines(source: string): readonly SourceLine[] {
  const lines: SourceLine[] = [];
  let start = 0;
  for (const ending of source.matchAll(/\r\n|\n|\r/g)) {
    lines.push(lineOf(source, lines.length + 1, start, ending.index));
    start = ending.index + ending[0].length;
  }
  lines.push(lineOf(source, lines.length + 1, start, source.length));
  return lines;
}

function lineOf(source: string, number: number, start: number, end: number): SourceLine {
  return { number, text: source.slice(start, end), start, end };
}
