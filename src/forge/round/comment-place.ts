/** Finds the lines of a pull request that a comment can be attached to. */
import type { Finding } from '../../events/collab-event.ts';
import { withoutCarriageReturn } from '../../parsers/diff/lines.ts';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import { makeVisible } from '../../text/neutralise.ts';

/** `start` and `end` are numbers of the finding's side; null: the comment is about the file. */
export interface CommentPlace {
  readonly path: string;
  /** The path on the old side. */
  readonly oldPath: string;
  readonly lines: CommentLines | null;
}

export interface CommentLines {
  readonly side: 'new' | 'old';
  readonly start: number;
  readonly end: number;
  /** The number of the last line on the other side; null if it is not there. */
  readonly otherEnd: number | null;
}

/** Returns null for a finding in no file of the change. Hosts accept lines of one hunk only. */
export function placeComment(
  {
    path,
    side,
    start_line: start,
    end_line: end,
  }: Pick<Finding, 'path' | 'side' | 'start_line' | 'end_line'>,
  files: readonly DiffFile[],
): CommentPlace | null {
  const file = files.find((one) => one.path === path);
  if (file === undefined) return null;
  const place = { path: file.path, oldPath: file.oldPath ?? file.path };
  if (side === null || start === null) return { ...place, lines: null };
  const found = file.hunks
    .map((hunk) => numberedLines(hunk.lines, side, start, end ?? start))
    .find((lines) => lines.length > 0);
  const [first, last] = [found?.[0], found?.at(-1)];
  if (first === undefined || last === undefined) return { ...place, lines: null };
  const [from, to] = [numberOf(first, side), numberOf(last, side)];
  const otherEnd = numberOf(last, side === 'new' ? 'old' : 'new');
  return { ...place, lines: { side, start: from ?? start, end: to ?? start, otherEnd } };
}

/** Returns the lines of the change that a finding is about. */
export function linesOfFinding(
  { path, side, start_line: start, end_line: end }: Finding,
  files: readonly DiffFile[],
): readonly DiffLine[] {
  const file = files.find((one) => one.path === path);
  if (file === undefined || side === null || start === null) return [];
  return file.hunks.flatMap(({ lines }) => numberedLines(lines, side, start, end ?? start));
}

/**
 * Returns true if the replacement can take the place of exactly the lines that the finding quotes: the pull request has these lines
 * there, and the replacement closes as many brackets as they do.
 */
export function canSuggest(finding: Finding, files: readonly DiffFile[]): boolean {
  const { replacement, quote, side, placement, start_line: start, end_line: end } = finding;
  if (replacement === undefined || quote === null || start === null) return false;
  if (side !== 'new' || placement !== 'exact') return false;
  const lines = linesOfFinding(finding, files).map(({ text }) => withoutCarriageReturn(text));
  const quoted = quote.replace(/\n$/, '').split('\n').map(withoutCarriageReturn);
  if (lines.length !== (end ?? start) - start + 1 || lines.join('\n') !== quoted.join('\n')) return false;
  return replacement.split('\n').every(isPlain) && balanceOf(replacement) === balanceOf(quoted.join('\n'));
}

function numberedLines(
  lines: readonly DiffLine[],
  side: 'new' | 'old',
  start: number,
  end: number,
): readonly DiffLine[] {
  return lines.filter((line) => {
    const number = numberOf(line, side);
    return number !== null && number >= start && number <= end;
  });
}

function numberOf({ oldLine, newLine }: DiffLine, side: 'new' | 'old'): number | null {
  return side === 'new' ? newLine : oldLine;
}

function isPlain(line: string): boolean {
  return makeVisible(line) === line;
}

/** `{2 (0 [-1`: brackets that a text leaves open. */
function balanceOf(text: string): string {
  const count = (bracket: string): number => text.split(bracket).length - 1;
  return [
    ['{', '}'],
    ['(', ')'],
    ['[', ']'],
  ]
    .map(([open = '', close = '']) => count(open) - count(close))
    .join(' ');
}
