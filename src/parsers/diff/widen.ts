/** More context above a hunk: up to the head of the function that it is in. */
import type { DiffFile, DiffLine, Hunk } from './types.ts';

/** In lines. A head that is farther away stays where git puts it, behind the `@@`. */
const farthestHead = 40;

/**
 * The hunks of a file with the unchanged lines from their function's head on, as far as the text of the new side has them and
 * no other hunk lies between. Changed lines and their numbers stay as they are.
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

/** The line of the new side that git names behind the `@@`; null where it is shown already, too far away or not there. */
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
    // The head is in the hunk now.
    heading: '',
    oldStart: hunk.oldStart - added,
    oldLines: hunk.oldLines + added,
    newStart: start,
    newLines: hunk.newLines + added,
    lines: [...context, ...hunk.lines],
  };
}
