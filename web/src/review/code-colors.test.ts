/** The colors of a file's lines, as the diff view reads them. */
import { tokenize, type HunkData } from 'react-diff-view';
import { expect, test } from 'vitest';
import { withoutEmptyLines } from './code-colors.ts';

const hunk: HunkData = {
  content: '@@ -3,2 +3,2 @@',
  oldStart: 3,
  oldLines: 2,
  newStart: 3,
  newLines: 2,
  changes: [
    { type: 'normal', isNormal: true, oldLineNumber: 3, newLineNumber: 3, content: '' },
    { type: 'normal', isNormal: true, oldLineNumber: 4, newLineNumber: 4, content: 'const a = 1;' },
  ],
};

test('a line before the hunk has no colors, so that it is shown plain when it is opened', () => {
  const tokens = tokenize([hunk]);
  expect(tokens.new[0]).toBeDefined();
  const { old, new: added } = withoutEmptyLines(tokens);
  for (const side of [old, added]) {
    expect([0, 1, 2].map((index) => side[index])).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(side[3])).toContain('const a = 1;');
  }
});
