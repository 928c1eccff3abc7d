/** Text in styles, broken at words by display width. */
import { breakWord, cutToWidth, displayWidth } from './display-width.ts';
import type { Paint, Style } from './paint.ts';

/** Text without line endings, all of it in the same styles. */
export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}

export type Line = readonly Span[];

export function plain(text: string): Span {
  return { text, styles: [] };
}

export function styled(text: string, ...styles: readonly Style[]): Span {
  return { text, styles };
}

/** Each line closes the styles that it opens. */
export function paintLine(line: Line, paint: Paint): string {
  return line
    .map(({ text, styles }) => styles.reduceRight((inner, style) => paint[style](inner), text))
    .join('');
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** Removes the spaces at the end of a line. */
export function trimEnd(line: Line): Line {
  const last = line.at(-1);
  if (last === undefined) return line;
  const text = last.text.trimEnd();
  return text === '' ? trimEnd(line.slice(0, -1)) : [...line.slice(0, -1), { ...last, text }];
}

/** Cuts a line as `cutToWidth` cuts its text. */
export function cutSpans(line: Line, columns: number): Line {
  const text = line.map((span) => span.text).join('');
  const cut = cutToWidth(text, columns);
  if (cut === text) return line;
  const mark = '...';
  const kept: Span[] = [];
  let left = cut.length - mark.length;
  for (const span of line) {
    if (left <= 0) break;
    kept.push({ ...span, text: span.text.slice(0, left) });
    left -= span.text.length;
  }
  return [...kept, plain(mark)];
}

/** Breaks spans at white space into lines of at most `columns`; a wider word is broken between graphemes. */
export function wrapSpans(spans: readonly Span[], columns: number): readonly Line[] {
  const width = Math.max(1, columns);
  const lines: Span[][] = [];
  let current: Span[] = [];
  const used = () => lineWidth(current);
  for (const word of wordsOf(spans)) {
    if (current.length > 0 && used() + 1 + lineWidth(word.spans) <= width) {
      current.push({ text: ' ', styles: word.gap }, ...word.spans);
      continue;
    }
    if (current.length > 0) lines.push(current);
    const pieces = lineWidth(word.spans) <= width ? [word.spans] : breakSpans(word.spans, width);
    lines.push(...pieces.slice(0, -1).map((piece) => [...piece]));
    current = [...(pieces.at(-1) ?? [])];
  }
  return current.length === 0 ? lines : [...lines, current];
}

const hanging = '    ';

/** Breaks a line of code into lines of at most `columns`, after white space if the line has any; nothing else changes. */
export function wrapCode(line: Line, columns: number): readonly Line[] {
  if (lineWidth(line) <= columns) return [line];
  const indent = columns > 2 * hanging.length ? [plain(hanging)] : [];
  const lines: Span[][] = [[]];
  for (const piece of line.flatMap(piecesOf)) {
    const current = lines.at(-1) ?? [];
    const visible = displayWidth(piece.text.trimEnd());
    const isFresh = current.length === (lines.length === 1 ? 0 : indent.length);
    if (lineWidth(current) + visible <= columns) current.push(piece);
    else if (!isFresh && visible <= columns - lineWidth(indent)) lines.push([...indent, piece]);
    else {
      const [first = [], ...rest] = breakSpans([piece], columns - lineWidth(indent));
      if (isFresh) current.push(...first);
      else lines.push([...indent, ...first]);
      lines.push(...rest.map((more) => [...indent, ...more]));
    }
  }
  return lines.map(trimEnd);
}

/** Each piece ends with the white space behind it. */
function piecesOf({ text, styles }: Span): readonly Span[] {
  return text.split(/(?<=\s)(?=\S)/).map((piece) => ({ text: piece, styles }));
}

/** A word may be in several styles; the gap before it has those that both of its sides share. */
interface Word {
  readonly gap: readonly Style[];
  readonly spans: readonly Span[];
}

function wordsOf(spans: readonly Span[]): readonly Word[] {
  const words: Word[] = [];
  let gap: readonly Style[] = [];
  let word: Span[] = [];
  for (const { text, styles } of spans) {
    for (const part of text.split(/([ \t\n\r]+)/)) {
      if (part === '') continue;
      if (part.trim() !== '') {
        word.push({ text: part, styles });
        continue;
      }
      if (word.length > 0) words.push({ gap, spans: word });
      word = [];
      gap = styles;
    }
  }
  return word.length === 0 ? words : [...words, { gap, spans: word }];
}

function breakSpans(word: readonly Span[], columns: number): readonly Line[] {
  const lines: Span[][] = [[]];
  for (const { text, styles } of word) {
    const room = columns - lineWidth(lines.at(-1) ?? []);
    const [first = '', ...rest] = breakWord(text, columns, room);
    if (first !== '') lines.at(-1)?.push({ text: first, styles });
    for (const piece of rest) lines.push([{ text: piece, styles }]);
  }
  return lines;
}
