/** The change in the shape that the diff view draws. Only our own parser reads a diff; the view gets what it found. */
import type { ChangeData, HunkData } from 'react-diff-view';
import { makeVisible, renderNumber, type DiffLine, type Hunk } from '../../../src/client/review.ts';

/** How the diff view names a line: I for an added one, D for a removed one, N for one of both sides. */
export type LineKey = string;

export function keyOf({ kind, oldLine, newLine }: DiffLine): LineKey {
  switch (kind) {
    case 'added':
      return `I${newLine}`;
    case 'removed':
      return `D${oldLine}`;
    case 'context':
      return `N${oldLine}`;
  }
}

export function toHunkData(hunk: Hunk): HunkData {
  const { oldStart, oldLines, newStart, newLines, lines } = hunk;
  return {
    content: headingOf(hunk),
    oldStart,
    oldLines,
    newStart,
    newLines,
    changes: lines.map(toChange),
  };
}

/** As git writes it above a hunk. */
export function headingOf({ heading, oldStart, oldLines, newStart, newLines }: Hunk): string {
  const ranges = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
  return heading === '' ? ranges : `${ranges} ${makeVisible(heading)}`;
}

function toChange({ kind, text, oldLine, newLine }: DiffLine): ChangeData {
  const content = shownText(text);
  switch (kind) {
    case 'added':
      return { type: 'insert', isInsert: true, lineNumber: newLine ?? 0, content };
    case 'removed':
      return { type: 'delete', isDelete: true, lineNumber: oldLine ?? 0, content };
    case 'context':
      return {
        type: 'normal',
        isNormal: true,
        oldLineNumber: oldLine ?? 0,
        newLineNumber: newLine ?? 0,
        content,
      };
  }
}

/** Characters of a line; nobody reads on in a line of a bundle. */
const longestLine = 2000;

/** What would reorder or hide becomes visible (as in every report), and a line has an end. */
export function shownText(text: string): string {
  const line = text.replace(/\r$/, '');
  if (line.length <= longestLine) return makeVisible(line);
  return `${makeVisible(line.slice(0, longestLine))} … (+${renderNumber(line.length - longestLine)})`;
}
