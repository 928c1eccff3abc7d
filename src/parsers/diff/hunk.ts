/** Reads the hunks of one file by the counts of their `@@` lines, so that a content line never looks like a header. */
import { withoutCarriageReturn, type LineReader } from './lines.ts';
import type { DiffFault, DiffLine, Hunk } from './types.ts';

const hunkHeader = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@(?: ?)(.*)$/su;

export function startsHunk(line: string | null): boolean {
  return line !== null && line.startsWith('@@ -') && hunkHeader.test(line);
}

/** Reads all hunks that follow; adds their faults to `faults`. */
export function readHunks(reader: LineReader, faults: DiffFault[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (let line = reader.peek(); line !== null && startsHunk(line); line = reader.peek()) {
    hunks.push(readHunk(reader, line, faults));
  }
  if (hunks.length > 0 && looksLikeContent(reader.peek())) {
    faults.push({
      kind: 'damaged',
      line: reader.lineNumber(),
      message: 'a hunk is longer than the count in its @@ line',
    });
  }
  return hunks;
}

function readHunk(reader: LineReader, header: string, faults: DiffFault[]): Hunk {
  const [, oldStart = '0', oldCount = '1', newStart = '0', newCount = '1', heading = ''] =
    hunkHeader.exec(header) ?? [];
  const wanted = { old: Number(oldCount), new: Number(newCount) };
  const next = { old: firstLine(Number(oldStart), wanted.old), new: firstLine(Number(newStart), wanted.new) };
  const headerLine = reader.lineNumber();
  reader.take();
  const lines: DiffLine[] = [];
  const left = { ...wanted };
  while (left.old > 0 || left.new > 0) {
    const line = reader.peek();
    const read = line === null ? null : readLine(line, left, next);
    if (read === null) break;
    reader.take();
    const noNewline = takeNoNewlineMark(reader);
    lines.push(noNewline ? { ...read, noNewline } : read);
  }
  if (left.old > 0 || left.new > 0) {
    faults.push({
      kind: 'damaged',
      line: headerLine,
      message: 'a hunk ends before the count of its @@ line',
    });
  }
  return {
    heading: withoutCarriageReturn(heading),
    oldStart: Number(oldStart),
    oldLines: wanted.old - left.old,
    newStart: Number(newStart),
    newLines: wanted.new - left.new,
    lines,
  };
}

interface Sides {
  old: number;
  new: number;
}

/** Reads one line of content; counts down `left` and up `next`. Returns null if the line cannot belong to the hunk. */
function readLine(line: string, left: Sides, next: Sides): DiffLine | null {
  const mark = line[0] ?? '';
  switch (mark) {
    case '+':
      if (left.new === 0) return null;
      left.new -= 1;
      next.new += 1;
      return { kind: 'added', text: line.slice(1), oldLine: null, newLine: next.new - 1, noNewline: false };
    case '-':
      if (left.old === 0) return null;
      left.old -= 1;
      next.old += 1;
      return { kind: 'removed', text: line.slice(1), oldLine: next.old - 1, newLine: null, noNewline: false };
    // Mail programs and editors strip the single space of an empty context line.
    case ' ':
    case '':
    case '\r':
      if (left.old === 0 || left.new === 0) return null;
      left.old -= 1;
      left.new -= 1;
      next.old += 1;
      next.new += 1;
      return {
        kind: 'context',
        text: mark === ' ' ? line.slice(1) : line,
        oldLine: next.old - 1,
        newLine: next.new - 1,
        noNewline: false,
      };
    default:
      return null;
  }
}

/** Returns the first line number of a side. A side without lines names the line before it. */
function firstLine(start: number, count: number): number {
  return count === 0 ? start + 1 : start;
}

/**
 * Reads the mark after a line without a newline. The words after `\ ` are in the language of the program that wrote the
 * diff.
 */
function takeNoNewlineMark(reader: LineReader): boolean {
  if (reader.peek()?.startsWith('\\ ') !== true) return false;
  reader.take();
  return true;
}

/** Excludes `-- ` alone, the signature that ends a mail, and `--- `, which starts the next file of a plain diff. */
function looksLikeContent(line: string | null): boolean {
  if (line === null || /^(?:-- ?\r?$|--- )/u.test(line)) return false;
  return /^(?:[+\- ]|@@ )/u.test(line);
}
