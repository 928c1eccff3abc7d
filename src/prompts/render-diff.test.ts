import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiffFile } from '../parsers/unified-diff-types.ts';
import { renderDiff } from './render-diff.ts';
import { drawnChange, expand, linesOfDiff, modifiedFile } from './test-requests.ts';

const bare: DiffFile = { ...modifiedFile('src/a.ts', []), oldBlob: '1111111', newBlob: '2222222' };

test('a changed file reads as git writes it', () => {
  const file = modifiedFile('src/a.ts', [
    [
      ['context', 'one'],
      ['removed', 'two'],
      ['added', '2'],
    ],
  ]);
  expect(renderDiff([file])).toEqual({
    text: 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    shown: [
      { path: 'src/a.ts', side: 'new', start: 1, end: 2 },
      { path: 'src/a.ts', side: 'old', start: 2, end: 2 },
    ],
  });
});

test('added, deleted, renamed and binary files say so in their head', () => {
  const added: DiffFile = { ...bare, oldPath: null, change: 'added', newMode: '100644', hunks: [] };
  const deleted: DiffFile = { ...bare, change: 'deleted', oldMode: '100755', binary: true };
  const renamed: DiffFile = { ...bare, oldPath: 'src/"b".ts', change: 'renamed' };
  expect(renderDiff([added, deleted, renamed])).toEqual({
    text: [
      'diff --git a/src/a.ts b/src/a.ts',
      'new file mode 100644',
      'index 1111111..2222222',
      'diff --git a/src/a.ts b/src/a.ts',
      'deleted file mode 100755',
      'index 1111111..2222222',
      'Binary files a/src/a.ts and /dev/null differ',
      'diff --git "a/src/\\"b\\".ts" b/src/a.ts',
      'rename from "src/\\"b\\".ts"',
      'rename to src/a.ts',
      'index 1111111..2222222',
      '',
    ].join('\n'),
    shown: [],
  });
});

test('a missing newline at the end of a file is kept', () => {
  const [hunk] = modifiedFile('a', [[['added', 'x']]]).hunks;
  const hunks =
    hunk === undefined ? [] : [{ ...hunk, lines: hunk.lines.map((line) => ({ ...line, noNewline: true })) }];
  expect(renderDiff([{ ...modifiedFile('a', []), hunks }]).text).toContain(
    '+x\n\\ No newline at end of file\n',
  );
});

test('the shown ranges are the lines that stand in the text', () => {
  fc.assert(
    fc.property(drawnChange, (change) => {
      const { text, shown } = renderDiff(change);
      expect(expand(shown)).toEqual(linesOfDiff(text));
    }),
  );
});
