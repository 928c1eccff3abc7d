/** Adds context above a hunk: up to the first line of the function that contains it. */
import type { DiffFile, DiffLine, Hunk } from './types.ts';

/** In lines. A function line that is farther away stays where git puts it, after the `@@`. */
const farthestHead = 40;

/**
 * Adds the unchanged lines from the function's first line to the hunks of a file, as far as the text of the new side
 * has them and no other hunk is in between. Changed lines and their numbers stay as they are.
 */
export function widenHunks(file: DiffFile, newText: string): DiffFile {
  const lines = newText.split('\n');
  let [lastOld, lastNew] = [0, 0];
  const hunks = file.hunks.map((hunk) => {
    const start = headLine(hunk, lines, lastNew + 1);
    const widened = start === null ? hunk : startAt(hunk, start, lines);
    const isConsistent = widened.oldStart > lastOld;
    [lastOld, lastNew] = [hunk.oldStart + hunk.oldLines - 1, hunk.newStart + hunk.newLines - 1];
    return isConsistent ? widened : hunk;
  });
  return { ...file, hunks };
}

/**
 * Returns the line of the new side that git names after the `@@`; null if it is already shown, too far away or missing.
 */
function headLine(
  { heading, newStart, oldStart, lines }: Hunk,
  text: readonly string[],
  first: number,
): number | null {
  if (heading === '' || lines[0]?.kind !== 'context' || oldStart === 0) return null;
  const earliest = Math.max(first, newStart - farthestHead, newStart - oldStart + 1);
  for (let line = newStart - 1; line >= earliest; line -= 1) {
    if (text[line - 1]?.trimEnd().startsWith(heading) === true) return line;
  }
  return null;
}

function startAt(hunk: Hunk, start: number, text: readonly string[]): Hunk {
  const added = hunk.newStart - start;
  const context = Array.from({ length: added }, (_, index): DiffLine => ({
    kind: 'context',
    text: text[start - 1 + index] ?? '',
    oldLine: hunk.oldStart - added + index,
    newLine: start + index,
    noNewline: false,
  }));
  return {
    // The function's first line is in the hunk now.
    heading: '',
    oldStart: hunk.oldStart - added,
    oldLines: hunk.oldLines + added,
    newStart: start,
    newLines: hunk.newLines + added,
    lines: [...context, ...hunk.lines],
  };
}
