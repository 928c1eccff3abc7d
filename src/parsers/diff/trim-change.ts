/** Makes a change smaller without moving a line: every remaining line keeps its numbers. */
import { sliceHunk } from './ranges.ts';
import type { DiffFile, Hunk } from './types.ts';

/** Leaves at most `contextLines` unchanged lines around each changed one. */
export function trimContext(files: readonly DiffFile[], contextLines: number): readonly DiffFile[] {
  return files.map((file) => ({
    ...file,
    hunks: file.hunks.flatMap((hunk) => changedStretches(hunk, contextLines)),
  }));
}

/** Returns the first `count` lines of the change; a hunk that is cut ends at the last of them. */
export function firstLines(files: readonly DiffFile[], count: number): readonly DiffFile[] {
  const kept: DiffFile[] = [];
  let left = count;
  for (const file of files) {
    if (left <= 0) break;
    const hunks: Hunk[] = [];
    for (const hunk of file.hunks) {
      if (left <= 0) break;
      hunks.push(left >= hunk.lines.length ? hunk : sliceHunk(hunk, 0, left));
      left -= hunk.lines.length;
    }
    kept.push({ ...file, hunks });
  }
  return kept;
}

/**
 * Returns the line counts at which {@link firstLines} ends between two hunks, ascending; the last one is the whole
 * change.
 */
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
      stretches.push(sliceHunk(hunk, start, end));
      start = from;
    } else if (start < 0) start = from;
    end = Math.min(hunk.lines.length, index + contextLines + 1);
  }
  if (start >= 0) stretches.push(sliceHunk(hunk, start, end));
  return stretches;
}
