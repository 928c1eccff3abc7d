/** Makes the quotation of an issue comparable with the lines of a diff. */
import { withoutCarriageReturn } from '../../parsers/diff/lines.ts';
import { makeVisible } from '../../text/neutralise.ts';

export interface Quotation {
  /** Not empty; the first and last lines are not blank. */
  readonly lines: readonly string[];
  /** Quoted blank lines around them: part of the place if the file has them, but not needed to find it. */
  readonly blankBefore: number;
  readonly blankBehind: number;
}

/**
 * Returns the readings of a quotation, most literal first: verbatim, up to omitted lines, and without the diff's own
 * marks, of which agents may copy only the first.
 */
export function readQuotations(text: string): readonly Quotation[] {
  const lines = text.split('\n').map(comparable);
  const readings = [lines, withoutMarks(lines) ?? [], newSideOf(lines) ?? [], withoutFirstMark(lines) ?? []];
  return readings
    .flatMap((reading) => (reading.some(isEllipsis) ? [reading, firstPassage(reading)] : [reading]))
    .map(trimQuotation)
    .filter((quotation) => quotation.lines.some((line) => !isEllipsis(line)));
}

export interface NumberedQuotation {
  readonly quotation: Quotation;
  /** The first number of the gutter. */
  readonly line: number;
}

/** Returns the readings without a gutter of line numbers. They count only if no literal reading is found. */
export function readNumbered(text: string): readonly NumberedQuotation[] {
  const gutter = withoutGutter(text.split('\n').map(comparable));
  if (gutter === null) return [];
  return gutter.readings
    .flatMap((reading) => [reading, withoutMarks(reading) ?? [], newSideOf(reading) ?? []])
    .map(trimQuotation)
    .filter(({ lines }) => lines.length > 0)
    .map((quotation) => ({ quotation, line: gutter.line }));
}

/** `12: `, `12 | `, `L12: ` and the tab or arrow of `cat -n`; lines shown by several spaces lost their tab. */
const gutterOfLine = /^\s*(?:L|line )?(\d{1,7})(?:\s*[:|│→](?!:)|\t| {2,}(?=\S)|$)(.*)$/iu;

function withoutGutter(
  lines: readonly string[],
): { readonly line: number; readonly readings: readonly (readonly string[])[] } | null {
  const filled = lines.filter((line) => !isBlank(line)).map((line) => gutterOfLine.exec(line));
  const numbers = filled.map((match) => Number(match?.[1] ?? 0));
  const ascends = numbers.every((number, index) => number > (numbers[index - 1] ?? 0));
  const [line] = numbers;
  if (line === undefined || !ascends) return null;
  const texts = lines.map((text) => gutterOfLine.exec(text)?.[2] ?? '');
  return { line, readings: [texts.map((text) => text.replace(/^ /u, '')), texts] };
}

/** Strips a diff mark from the first line if others have none. */
function withoutFirstMark(lines: readonly string[]): readonly string[] | null {
  const first = lines.findIndex((line) => !isBlank(line));
  if (!/^[+-]/u.test(lines[first] ?? '')) return null;
  return lines.map((line, index) => (index === first ? line.slice(1) : line));
}

export function trimQuotation(lines: readonly string[]): Quotation {
  const start = lines.findIndex((line) => !isBlank(line));
  const end = lines.findLastIndex((line) => !isBlank(line)) + 1;
  if (start === -1) return { lines: [], blankBefore: 0, blankBehind: 0 };
  return { lines: lines.slice(start, end), blankBefore: start, blankBehind: lines.length - end };
}

/** Renders the line as in a prompt: an agent copies either that form or the characters themselves. */
export function comparable(line: string): string {
  return makeVisible(withoutCarriageReturn(line));
}

/**
 * Strips what agents change when they copy a line: white space, the kind of quotation marks, punctuation at the end.
 * Returns an empty text for a line without content.
 */
export function loosen(line: string): string {
  return comparable(line)
    .replaceAll(/\s+/gu, '')
    .replaceAll(/['`‘’“”„«»]/gu, '"')
    .replace(/[;,.:…]+$/u, '');
}

/** Returns true if the lines differ only in indentation and blank lines, or not at all. */
export function isReindented(lines: readonly string[], others: readonly string[]): boolean {
  return withoutIndent(lines) === withoutIndent(others);
}

function withoutIndent(lines: readonly string[]): string {
  return lines
    .filter((line) => !isBlank(line))
    .map((line) => comparable(line).trim())
    .join('\n');
}

/** Strips the diff marks if every line has one. */
export function withoutMarks(lines: readonly string[]): readonly string[] | null {
  const marked = lines.every((line) => /^[+\- ]|^$/u.test(line)) && lines.some((line) => /^[+-]/u.test(line));
  return marked ? lines.map((line) => line.slice(1)) : null;
}

/** Returns the new side of a quotation that was copied from a diff with both sides. */
function newSideOf(lines: readonly string[]): readonly string[] | null {
  const mixed = lines.some((line) => line.startsWith('-')) && lines.some((line) => line.startsWith('+'));
  return mixed ? (withoutMarks(lines.filter((line) => !line.startsWith('-'))) ?? null) : null;
}

/** Returns the lines up to the first one that marks an omission. */
function firstPassage(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => !isBlank(line) && !isEllipsis(line));
  if (start === -1) return [];
  const stop = lines.findIndex((line, index) => index > start && isEllipsis(line));
  return lines.slice(start, stop === -1 ? lines.length : stop);
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Recognizes a line that only marks an omission. */
export function isEllipsis(line: string): boolean {
  return /^\s*(?:\/\/|#|\/\*|--)?\s*(?:\.{3}|…)\s*(?:\*\/)?\s*$/u.test(line);
}
