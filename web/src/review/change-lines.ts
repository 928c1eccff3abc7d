/**
 * Converts the change to the shape that the diff view draws. Only our own parser reads a diff; the view gets its result.
 */
import type { ChangeData, HunkData } from 'react-diff-view';
import { makeVisible, renderNumber, type DiffLine, type Hunk } from '../../../src/client/review.ts';

/** The diff view's name for a line: I for an added one, D for a removed one, N for one of both sides. */
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

/** Renders the line that git writes above a hunk. */
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

/** Characters shown of a line; longer ones are in bundles, which no one reads. */
const longestLine = 2000;

/** Makes reordering and hidden characters visible (as in every report), and cuts long lines. */
export function shownText(text: string): string {
  const line = text.replace(/\r$/, '');
  if (line.length <= longestLine) return makeVisible(line);
  return `${makeVisible(line.slice(0, longestLine))} … (+${renderNumber(line.length - longestLine)})`;
}
