/**
 * Renders agents' text as Markdown. It is foreign: no markup of its own, no script, nothing that loads when the page is
 * viewed.
 */
import { memo, useState, type ReactElement } from 'react';
import ReactMarkdown from 'react-markdown';
import { boundNesting, looksLikeClosingLine, neutralise } from '../../../src/client/markdown.ts';
import { CodeBlock } from './code-block.tsx';
import { elementsBelow } from './markdown-elements.tsx';
import { markdownPlugins } from './markdown-syntax.ts';
import { PlainOnFault, PlainText } from './plain-text.tsx';
import { readFence, withoutBegunLine } from './read-fence.ts';
import { readTag } from './read-tag.ts';
import { safeLink } from './safe-link.ts';
import { TagWords } from './tag-words.tsx';
import { splitBlocks, type TextBlocks } from './split-blocks.ts';

export interface MarkdownProps {
  readonly text: string;
  /** More text will follow. */
  readonly isOpen?: boolean;
  /** The page heading above it. */
  readonly below?: keyof typeof elementsBelow;
}

/** Draws a finished block once, however often the text grows. */
export function Markdown({ text, isOpen = false, below = 'h3' }: MarkdownProps): ReactElement {
  const [split] = useState(rememberedSplit);
  const { settled, rest } = split(text);
  return (
    <div className="markdown">
      {[...settled, isOpen ? withoutBegunLine(rest) : rest].map((block, index) => (
        // A block never changes its place.
        <Block key={index} text={block} below={below} />
      ))}
    </div>
  );
}

function rememberedSplit(): (text: string) => TextBlocks {
  let last: TextBlocks | undefined;
  return (text) => (last = splitBlocks(text, last));
}

const Block = memo(function Block({
  text,
  below,
}: Required<Pick<MarkdownProps, 'text' | 'below'>>): ReactElement | null {
  if (text.trim() === '') return null;
  if (readTag(text) !== null)
    return (
      <p className="quiet">
        <TagWords tag={text} />
      </p>
    );
  const shown = neutralise(text);
  const fence = readFence(shown);
  if (fence !== null) return <CodeBlock language={fence.language} code={fence.code} />;
  const words = withoutClosingLine(shown);
  if (words.trim() === '') return null;
  if (costsTooMuch(words)) return <PlainText text={words} />;
  return (
    <PlainOnFault text={words}>
      <ReactMarkdown remarkPlugins={markdownPlugins} components={elementsBelow[below]} urlTransform={linkOf}>
        {boundNesting(words)}
      </ReactMarkdown>
    </PlainOnFault>
  );
});

/** The last line of an answer is for `collab` alone. */
function withoutClosingLine(block: string): string {
  const lines = block.trimEnd().split('\n');
  return looksLikeClosingLine(lines.at(-1) ?? '') ? lines.slice(0, -1).join('\n') : block;
}

function linkOf(href: string): string {
  return safeLink(href) ?? '';
}

/** The parser's time grows with the square of a block, above all of the marks in it that may be emphasis. */
function costsTooMuch(block: string): boolean {
  return block.length > longestBlock || (block.match(/[*_~]/g)?.length ?? 0) > mostMarks;
}

const longestBlock = 30_000;
const mostMarks = 1000;
