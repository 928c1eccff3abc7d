/** Splits a growing text into blocks: finished blocks are separate, so that only the last one is ever redrawn. */
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { boundNesting } from '../../../src/client/markdown.ts';
import { blockSyntax } from './markdown-syntax.ts';
import { readFence } from './read-fence.ts';

export interface TextBlocks {
  /** Finished: later text changes none of them. Followed by `rest`, they are the text. */
  readonly settled: readonly string[];
  readonly rest: string;
}

const noBlocks: TextBlocks = { settled: [], rest: '' };

/** `before`: the result for the beginning of the same text; any other text is parsed from its start. */
export function splitBlocks(text: string, before: TextBlocks = noBlocks): TextBlocks {
  const known = before.settled.join('');
  if (!text.startsWith(known)) return splitBlocks(text);
  const { settled, rest } = settle(text.slice(known.length));
  return { settled: settled.length === 0 ? before.settled : [...before.settled, ...settled], rest };
}

/** Characters parsed at once: the parser's time grows faster than the text. */
const parsedAtOnce = 4000;

/** A block is finished when another one follows. The last line of a growing text may become anything. */
function settle(text: string): TextBlocks {
  const settled: string[] = [];
  const wholeLines = text.lastIndexOf('\n') + 1;
  let from = 0;
  for (let size = parsedAtOnce; from < wholeLines;) {
    // A long file in an open fence need not be parsed again with every line.
    if (readFence(text.slice(from))?.isOpen === true) break;
    const to = endOfLine(text, from + size, wholeLines);
    const starts = blockStarts(text.slice(from, to)).slice(1);
    const last = starts.at(-1);
    if (last !== undefined) {
      settled.push(...cutAt(text.slice(from, from + last), starts));
      from += last;
      size = parsedAtOnce;
    } else if (to === wholeLines) break;
    else size *= 2;
  }
  return { settled, rest: text.slice(from) };
}

function endOfLine(text: string, at: number, wholeLines: number): number {
  if (at >= wholeLines) return wholeLines;
  return text.indexOf('\n', at) + 1;
}

const processor = unified().use(remarkParse).use(blockSyntax).freeze();

/** Returns the starts of lines that begin a block of the document itself. */
function blockStarts(text: string): readonly number[] {
  return processor.parse(boundNesting(text)).children.flatMap(({ position }) => {
    const offset = position?.start.offset;
    return offset === undefined ? [] : [text.lastIndexOf('\n', offset - 1) + 1];
  });
}

function cutAt(text: string, starts: readonly number[]): readonly string[] {
  return [0, ...starts].slice(0, -1).map((start, index) => text.slice(start, starts[index]));
}
