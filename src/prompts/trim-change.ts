/** Makes a change smaller without moving a line: every line that is left keeps its numbers. */
import type { DiffFile, DiffLine, Hunk } from '../parsers/unified-diff-types.ts';

/** Leaves at most `contextLines` unchanged lines around each changed one. */
export function trimContext(files: readonly DiffFile[], contextLines: number): readonly DiffFile[] {
  return files.map((file) => ({
    ...file,
    hunks: file.hunks.flatMap((hunk) => changedStretches(hunk, contextLines)),
  }));
}

/** The first `count` lines of the change; a hunk that is not whole any more ends where the count does. */
export function firstLines(files: readonly DiffFile[], count: number): readonly DiffFile[] {
  const kept: DiffFile[] = [];
  let left = count;
  for (const file of files) {
    if (left <= 0) break;
    const hunks: Hunk[] = [];
    for (const hunk of file.hunks) {
      if (left <= 0) break;
      hunks.push(left >= hunk.lines.length ? hunk : part(hunk, 0, left));
      left -= hunk.lines.length;
    }
    kept.push({ ...file, hunks });
  }
  return kept;
}

/** Counts of lines at which {@link firstLines} ends between two hunks, ascending; the last one is the whole change. */
export function hunkBoundaries(files: readonly DiffFile[]): readonly number[] {
  let total = 0;
  return files.flatMap((file) => file.hunks).map((hunk) => (total += hunk.lines.length));
}

function changedStretches(hunk: Hunk, contextLines: number): readonly Hunk[] {
  const stretches: Hunk[] = [];
  let start = -1;
  let end = -1;
  for (const [index, line] of hunk.lines.entries()) {
    if (line.kind === 'context') continue;
    const from = Math.max(0, index - contextLines);
    if (start >= 0 && from > end) {
      stretches.push(part(hunk, start, end));
      start = from;
    } else if (start < 0) start = from;
    end = Math.min(hunk.lines.length, index + contextLines + 1);
  }
  if (start >= 0) stretches.push(part(hunk, start, end));
  return stretches;
}

function part(hunk: Hunk, start: number, end: number): Hunk {
  const before = hunk.lines.slice(0, start);
  const lines = hunk.lines.slice(start, end);
  const old = side(hunk.oldStart, hunk.oldLines, countOld(before), countOld(lines));
  const fresh = side(hunk.newStart, hunk.newLines, countNew(before), countNew(lines));
  return {
    heading: hunk.heading,
    oldStart: old,
    oldLines: countOld(lines),
    newStart: fresh,
    newLines: countNew(lines),
    lines,
  };
}

/** A side without lines is numbered by the line before it, as git writes it. */
function side(hunkStart: number, hunkLines: number, skipped: number, kept: number): number {
  const next = (hunkLines === 0 ? hunkStart + 1 : hunkStart) + skipped;
  return kept === 0 ? next - 1 : next;
}

function countOld(lines: readonly DiffLine[]): number {
  return lines.filter((line) => line.kind !== 'added').length;
}

function countNew(lines: readonly DiffLine[]): number {
  return lines.filter((line) => line.kind !== 'removed').length;
}
