import stringWidth from 'string-width';
import { graphemesOf, type Grapheme } from './graphemes.ts';

/** Returns the width in terminal columns; East-Asian wide characters and emoji count 2, a grapheme counts once. */
export function displayWidth(text: string): number {
  return narrowOnly.test(text) ? text.length : stringWidth(text);
}

/**
 * ASCII, Latin letters, and the symbols in our own lines: one column each, and no two of them join. The first test of any
 * other text compiles a pattern of all emoji, which takes half as long as starting Node.
 */
const narrowOnly = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u017f\u2013\u2014\u2018-\u201d\u2022\u2026\u2192]*$/;

/** Yields the graphemes; those of usual letters without the tables that the others need. */
function unjoinedOf(text: string): Iterable<Grapheme> {
  if (!narrowOnly.test(text)) return graphemesOf(text);
  return text.split('').map((segment, index) => ({ segment, index }));
}

/** Cuts a text to at most `columns`, `...` included; splits no grapheme. */
export function cutToWidth(text: string, columns: number): string {
  return displayWidth(text) <= columns ? text : `${widthPrefix(text, columns - 3)}...`;
}

function widthPrefix(text: string, columns: number): string {
  let width = 0;
  for (const { segment, index } of unjoinedOf(text)) {
    width += displayWidth(segment);
    if (width > columns) return text.slice(0, index);
  }
  return text;
}

/** Breaks a text at spaces into lines of at most `columns`; a wider word is broken between graphemes. */
export function wrapToWidth(text: string, columns: number): readonly string[] {
  const width = Math.max(1, columns);
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

/** Does the same, and puts `indent` before all lines but the first; there is room for it before each of them. */
export function wrapHanging(text: string, columns: number, indent: string): readonly string[] {
  return wrapToWidth(text, columns - indent.length).map((line, index) =>
    index === 0 ? line : indent + line,
  );
}

/** Does the same, with an indented list item below the text of its first line. */
export function wrapItemsToWidth(text: string, columns: number): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const [, mark = '', words = ''] = /^( +- )(.+)$/.exec(line) ?? [];
    if (mark === '' || columns < 2 * mark.length) return wrapToWidth(line, columns);
    const [first = '', ...rest] = wrapHanging(words, columns, ' '.repeat(mark.length));
    return [mark + first, ...rest];
  });
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (displayWidth(line) <= columns) return [line];
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = displayWidth(indent) < columns ? indent : '';
  for (const word of line.trim().split(/ +/)) {
    const joined = current.trim() === '' ? current + word : `${current} ${word}`;
    if (displayWidth(joined) <= columns) {
      current = joined;
      continue;
    }
    if (current.trim() !== '') lines.push(current);
    const pieces = breakWord(word, columns);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1) ?? '';
  }
  return [...lines, current];
}

/**
 * Breaks a word into pieces of at most `columns`, between graphemes; the first piece has only `room` columns. A wider
 * grapheme is a piece of its own. The first piece is empty if there is no room for one.
 */
export function breakWord(word: string, columns: number, room = columns): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let left = room;
  for (const { segment } of unjoinedOf(word)) {
    const width = displayWidth(segment);
    if (width > left && (piece !== '' || left < columns)) {
      pieces.push(piece);
      [piece, left] = ['', columns];
    }
    piece += segment;
    left -= width;
  }
  return [...pieces, piece];
}
