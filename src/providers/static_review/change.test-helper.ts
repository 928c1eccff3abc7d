/** Changes for tests. */
import type { DiffFile } from '../../parsers/diff/types.ts';

/** A change that adds one file with that text. */
export function newFile(path: string, text: string): DiffFile {
  const lines = text.replace(/\n$/, '').split('\n');
  return {
    path,
    oldPath: null,
    change: 'added',
    binary: false,
    oldBlob: null,
    newBlob: null,
    oldMode: null,
    newMode: '100644',
    hunks: [
      {
        heading: '',
        oldStart: 0,
        oldLines: 0,
        newStart: 1,
        newLines: lines.length,
        lines: lines.map((line, index) => ({
          kind: 'added',
          text: line,
          oldLine: null,
          newLine: index + 1,
          noNewline: false,
        })),
      },
    ],
  };
}
