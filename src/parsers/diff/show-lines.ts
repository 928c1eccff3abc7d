/** Adds unchanged lines of the new side to a file's hunks. */
import type { ShownSpan } from './enclosing-function.ts';
import type { DiffFile, DiffLine, Hunk } from './types.ts';

/**
 * Returns the file with hunks that also show `spans` of the new side, in any order. Changed lines and all line numbers stay as they
 * are. Returns the same file if the text is not that of its new side.
 */
export function showLines(file: DiffFile, newText: string, spans: readonly ShownSpan[]): DiffFile {
  const text = linesOfText(newText);
  const wanted = spans
    .map(({ start, end }) => ({ start: Math.max(1, start), end: Math.min(end, text.lines.length) }))
    .filter(({ start, end }) => start <= end);
  if (wanted.length === 0 || !fits(file, text.lines)) return file;
  const shown = merged([...file.hunks.map(rangeOf), ...wanted]);
  return { ...file, hunks: shown.flatMap((span) => hunkOf(file, text, span)) };
}

interface FileText {
  readonly lines: readonly string[];
  readonly endsWithNewline: boolean;
}

function linesOfText(text: string): FileText {
  const lines = text.split('\n');
  const endsWithNewline = lines.at(-1) === '';
  return { lines: endsWithNewline ? lines.slice(0, -1) : lines, endsWithNewline };
}

function fits({ hunks }: DiffFile, text: readonly string[]): boolean {
  return hunks.every((hunk) =>
    hunk.lines.every((line) => line.newLine === null || text[line.newLine - 1] === line.text),
  );
}

/** A hunk that only removes lines is between two lines of the new side: its range is empty. */
function rangeOf({ newStart, newLines }: Hunk): ShownSpan {
  const start = newLines === 0 ? newStart + 1 : newStart;
  return { start, end: start + newLines - 1 };
}

/** Joins overlapping and neighboring ranges. */
function merged(spans: readonly ShownSpan[]): readonly ShownSpan[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted(
    (one, other) => one.start - other.start || one.end - other.end,
  )) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end + 1) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

function hunkOf({ hunks }: DiffFile, text: FileText, { start, end }: ShownSpan): readonly Hunk[] {
  const within = hunks.filter((hunk) => {
    const range = rangeOf(hunk);
    return range.start >= start && range.end <= end;
  });
  const [first] = within;
  if (first !== undefined && within.length === 1 && isSameRange(rangeOf(first), { start, end }))
    return [first];
  const lines: DiffLine[] = [];
  let next = start;
  let offset = offsetBefore(hunks, start);
  const fill = (until: number): void => {
    for (; next < until; next += 1) lines.push(contextLine(text, next, offset));
  };
  for (const hunk of within) {
    const range = rangeOf(hunk);
    fill(range.start);
    lines.push(...hunk.lines);
    next = range.end + 1;
    offset += hunk.newLines - hunk.oldLines;
  }
  fill(end + 1);
  const oldLines = lines.filter(({ kind }) => kind !== 'added').length;
  const newLines = lines.filter(({ kind }) => kind !== 'removed').length;
  const oldStart = start - offsetBefore(hunks, start) - (oldLines === 0 ? 1 : 0);
  return [
    {
      heading: headingFor(text, start),
      oldStart,
      oldLines,
      newStart: newLines === 0 ? start - 1 : start,
      newLines,
      lines,
    },
  ];
}

function isSameRange(one: ShownSpan, other: ShownSpan): boolean {
  return one.start === other.start && one.end === other.end;
}

/** Returns the lines that the hunks above `start` add to the file. */
function offsetBefore(hunks: readonly Hunk[], start: number): number {
  return hunks
    .filter((hunk) => rangeOf(hunk).end < start && rangeOf(hunk).start < start)
    .reduce((sum, { newLines, oldLines }) => sum + newLines - oldLines, 0);
}

function contextLine({ lines, endsWithNewline }: FileText, newLine: number, offset: number): DiffLine {
  return {
    kind: 'context',
    text: lines[newLine - 1] ?? '',
    oldLine: newLine - offset,
    newLine,
    noNewline: newLine === lines.length && !endsWithNewline,
  };
}

/** Returns what git writes after the `@@`: the nearest line above that begins with a letter. */
function headingFor({ lines }: FileText, start: number): string {
  for (let line = start - 1; line >= Math.max(1, start - farthestHeading); line -= 1) {
    const text = lines[line - 1] ?? '';
    if (/^[\p{L}_$]/u.test(text))
      return Buffer.from(text.trimEnd())
        .subarray(0, 80)
        .toString('utf8')
        .replace(/\uFFFD$/u, '');
  }
  return '';
}

const farthestHeading = 5000;
