/** Detects an answer without any content of its own: copied from the material that it should judge. */
import type { DiffFile } from '../diff/types.ts';
import type { AnswerBlock } from './answer-types.ts';
import { saysNoProblemOfGrade } from './none-words.ts';

export interface ForeignMaterial {
  readonly texts: readonly string[];
  readonly change: readonly DiffFile[];
}

/**
 * Returns true if the sections contain at least one line of content, and every such line is in the foreign material.
 */
export function isEcho(
  { sections }: Pick<AnswerBlock, 'sections'>,
  { texts, change }: ForeignMaterial,
): boolean {
  const said = sections.flatMap(({ text }) => linesOf(text).filter(isContent)).map(words);
  const own = said.filter((line) => line !== '');
  if (own.length === 0) return false;
  const code = change.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map(({ text }) => text)));
  const foreign = new Set([...texts, ...code].flatMap(linesOf).map(words));
  return own.every((line) => foreign.has(line));
}

/** Also splits at a line break written as `\n` in a string literal. */
function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|[\r\n]|\\r\\n|\\n/);
}

function isContent(line: string): boolean {
  return !/^\s*#/.test(line) && !saysNoProblemOfGrade(line);
}

/** Strips the marks of lists, quotes, comments and literals. */
function words(line: string): string {
  return line
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}
