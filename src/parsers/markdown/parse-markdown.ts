import type { Nodes, Root, RootContent } from 'mdast';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { boundNesting } from './bound-nesting.ts';
import { rangeOf, type MarkdownDocument, type SourceLine } from './markdown-document.ts';
import { structuralLinesOf } from './structural-lines.ts';
import { textLinesOf } from './text-lines.ts';

/**
 * Constructs without influence on blocks and markers: emphasis, entities and hard breaks, which take most of the time.
 */
const constructsThatDecideNothing = ['attention', 'characterReference', 'hardBreakEscape'];

/** Constructs that may hide a marker: parsed only in the paragraphs that hold one. Their time may be quadratic. */
const inlineConstructs = [
  'autolink',
  'codeText',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
];

const blockProcessor = processorWithout([...constructsThatDecideNothing, ...inlineConstructs]);
const inlineProcessor = processorWithout(constructsThatDecideNothing);

function processorWithout(constructs: string[]) {
  return unified()
    .data('micromarkExtensions', [gfmTable(), { disable: { null: constructs } }])
    .data('fromMarkdownExtensions', [gfmTableFromMarkdown()])
    .use(remarkParse)
    .freeze();
}

export function parseMarkdown(text: string): MarkdownDocument {
  const source = text.replace(/^\uFEFF+/, '');
  const root: Root = blockProcessor.parse(boundNesting(source));
  const [lines, nodes] = [splitLines(source), root.children];
  const textLines = nodes.flatMap((node) => textLinesOf({ lines }, node));
  return {
    source,
    lines,
    nodes,
    textLines: new Map(textLines.map((textLine) => [textLine.line.number, textLine])),
    structuralLines: structuralLinesOf(nodes),
    inlineOf: inlineParser(source, nodes),
  };
}

/** The most characters in one block that may open or close an inline construct. */
const mostInlineMarks = 4000;

function inlineParser(source: string, nodes: readonly RootContent[]): MarkdownDocument['inlineOf'] {
  const parsed = new Map<RootContent, Root | null>();
  const parse = (node: RootContent): Root | null => {
    const { start, end } = rangeOf(node);
    const text = source.slice(start, end);
    if ((text.match(/[[\]<`]/g)?.length ?? 0) > mostInlineMarks) return null;
    // A reference makes an image only if it is defined anywhere in the document.
    const defined = text.includes('![') ? nodes.flatMap((other) => definitionsIn(source, other)) : [];
    return inlineProcessor.parse([text, ...defined].join('\n\n'));
  };
  return (node) => {
    const known = parsed.get(node);
    if (known !== undefined) return known;
    const root = parse(node);
    parsed.set(node, root);
    return root;
  };
}

function definitionsIn(source: string, node: Nodes): readonly string[] {
  if (node.type === 'definition') return [source.slice(rangeOf(node).start, rangeOf(node).end)];
  const isContainer = node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem';
  return isContainer ? node.children.flatMap((child) => definitionsIn(source, child)) : [];
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
