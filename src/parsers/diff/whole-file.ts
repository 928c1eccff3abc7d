import { bareHeader } from './plain.ts';
import type { DiffFile } from './types.ts';

/** Returns a whole file as one hunk without changes, so that quotations are found in it as in a diff. */
export function wholeFile(path: string, text: string): DiffFile {
  const texts = text.split('\n');
  if (texts.at(-1) === '') texts.pop();
  const lines = texts.map((line, index) => ({
    kind: 'context' as const,
    text: line,
    oldLine: index + 1,
    newLine: index + 1,
    noNewline: false,
  }));
  const count = lines.length;
  const hunk = { heading: '', oldStart: 1, oldLines: count, newStart: 1, newLines: count, lines };
  return { ...bareHeader(path), hunks: [hunk] };
}
