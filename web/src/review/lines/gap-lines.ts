/** The lines between the hunks of a file, which its whole text has: how many there are, and those that the reader opened. */
import type { DiffFile, DiffLine, Hunk } from '../../../../src/client/review.ts';

/** How many lines are shown at the beginning and at the end of a gap. */
export interface OpenedGap {
  readonly top: number;
  readonly bottom: number;
}

/** The lines before a hunk; those of the last gap are after the last hunk. */
export interface Gap {
  /** Below the hunk before it; null for none. */
  readonly top: Hunk | null;
  /** The number of lines that are not shown; null if the end of the file is not known yet. */
  readonly hidden: number | null;
  /** Above the hunk after it; null for none. */
  readonly bottom: Hunk | null;
}

/** The lines above or below a hunk that a press shows. */
export const linesAtOnce = 20;
/** More at once would hold up the reader's next key. */
export const mostLinesAtOnce = 2000;

/** Git shows as many lines around a change; fewer at the end of the last hunk are the end of the file. */
const linesAround = 3;

/** Returns one gap more than there are hunks. `text`: the lines of the file after the change; null if they are not loaded. */
export function gapsOf(
  { hunks }: Pick<DiffFile, 'hunks'>,
  text: readonly string[] | null,
  opened: ReadonlyMap<number, OpenedGap>,
): readonly Gap[] {
  return Array.from({ length: hunks.length + 1 }, (_, index) => {
    const before = hunks[index - 1];
    const after = hunks[index];
    const from = before === undefined ? 1 : endOf(before).newLine + 1;
    // An old line is as far from its new one as at the end of the hunk before it.
    const shift = before === undefined ? 0 : endOf(before).oldLine - endOf(before).newLine;
    const to = after === undefined ? (text === null ? null : text.length) : beginOf(after) - 1;
    if (to === null) return { top: null, hidden: endsFile(before) ? 0 : null, bottom: null };
    const size = Math.max(0, to - from + 1);
    if (text === null) return { top: null, hidden: size, bottom: null };
    const { top, bottom } = opened.get(index) ?? { top: 0, bottom: 0 };
    const shownTop = top + bottom >= size ? size : top;
    const shownBottom = top + bottom >= size ? 0 : bottom;
    return {
      top: contextOf(text, { from, count: shownTop, shift }),
      hidden: size - shownTop - shownBottom,
      bottom: contextOf(text, { from: to - shownBottom + 1, count: shownBottom, shift }),
    };
  });
}

/** Returns the file with the opened lines among its hunks, in their order. */
export function withOpenedLines(file: DiffFile, gaps: readonly Gap[]): DiffFile {
  if (gaps.length === 0) return file;
  const hunks = gaps.flatMap(({ top, bottom }, index) =>
    [top, bottom, file.hunks[index] ?? null].filter((hunk) => hunk !== null),
  );
  return hunks.length === file.hunks.length ? file : { ...file, hunks };
}

/** The number of the first new line of a hunk. A hunk without new lines names the line before it. */
function beginOf({ newStart, newLines }: Hunk): number {
  return newLines === 0 ? newStart + 1 : newStart;
}

/** The last lines of a hunk on both sides. */
function endOf({ oldStart, oldLines, newStart, newLines }: Hunk) {
  return {
    oldLine: oldLines === 0 ? oldStart : oldStart + oldLines - 1,
    newLine: newLines === 0 ? newStart : newStart + newLines - 1,
  };
}

function endsFile(last: Hunk | undefined): boolean {
  if (last === undefined) return true;
  const after = last.lines.length - 1 - last.lines.findLastIndex(({ kind }) => kind !== 'context');
  return after < linesAround || last.lines.at(-1)?.noNewline === true;
}

interface ContextPlace {
  /** The number of the first new line. */
  readonly from: number;
  readonly count: number;
  /** Added to a new number, it is the old one. */
  readonly shift: number;
}

function contextOf(text: readonly string[], { from, count, shift }: ContextPlace): Hunk | null {
  if (count <= 0) return null;
  const lines = text.slice(from - 1, from - 1 + count).map((line, index): DiffLine => {
    const newLine = from + index;
    return { kind: 'context', text: line, oldLine: newLine + shift, newLine, noNewline: false };
  });
  return {
    heading: '',
    oldStart: from + shift,
    oldLines: count,
    newStart: from,
    newLines: count,
    lines,
  };
}

/** Splits a text into its lines, as a diff does. */
export function linesOfFile(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
