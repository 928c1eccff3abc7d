import { expect, test } from 'vitest';
import { parseUnifiedDiff, type Hunk } from '../../../../src/client/review.ts';
import { gapsOf, linesOfFile, withOpenedLines, type OpenedGap } from './gap-lines.ts';

const text = linesOfFile(`${Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join('\n')}\n`);

/** Line 10 is changed, a line is added after line 40, and one that was after line 50 is removed. */
const diff = `--- a/a.ts
+++ b/a.ts
@@ -9,3 +9,3 @@
 line 9
-old
+line 10
 line 11
@@ -39,2 +39,3 @@
 line 39
+line 40
 line 41
@@ -50 +50,0 @@
-gone
`;
const file = parseUnifiedDiff(diff).files[0];
if (file === undefined) throw new Error('the diff has a file');

const sizes = (opened: readonly (readonly [number, OpenedGap])[], lines: readonly string[] | null = text) =>
  gapsOf(file, lines, new Map(opened)).map(({ top, hidden, bottom }) => [
    spanOf(top),
    hidden,
    spanOf(bottom),
  ]);

function spanOf(hunk: Hunk | null): string | null {
  if (hunk === null) return null;
  const { oldStart, newStart, lines } = hunk;
  return `${oldStart} ${newStart} ${lines.map((line) => line.text.slice(5)).join(',')}`;
}

test('without opened lines, the gaps are as long as the hunks say, and the last one as the file', () => {
  expect(sizes([])).toEqual([
    [null, 8, null],
    [null, 27, null],
    [null, 9, null],
    [null, 10, null],
  ]);
  expect(sizes([], null).map(([, hidden]) => hidden)).toEqual([8, 27, 9, 0]);
});

test('lines are opened from both ends, with their numbers on both sides', () => {
  expect(sizes([[1, { top: 2, bottom: 1 }]])[1]).toEqual(['12 12 12,13', 24, '38 38 38']);
  expect(sizes([[3, { top: 2, bottom: 0 }]])[3]).toEqual(['51 51 51,52', 8, null]);
  expect(sizes([[2, { top: 1, bottom: 1 }]])[2]).toEqual(['41 42 42', 7, '49 50 50']);
});

test('ends that meet are one part, and more than there is opens no more', () => {
  expect(sizes([[0, { top: 0, bottom: 20 }]])[0]).toEqual(['1 1 1,2,3,4,5,6,7,8', 0, null]);
  expect(sizes([[2, { top: 5, bottom: 20 }]])[2]?.slice(1)).toEqual([0, null]);
  expect(sizes([[3, { top: 2000, bottom: 0 }]])[3]?.slice(1)).toEqual([0, null]);
});

test('the file with the opened lines has them between its hunks; without any it is the same', () => {
  const opened = new Map([[1, { top: 2, bottom: 1 }]]);
  expect(withOpenedLines(file, gapsOf(file, text, new Map()))).toBe(file);
  expect(withOpenedLines(file, [])).toBe(file);
  expect(
    withOpenedLines(file, gapsOf(file, text, opened)).hunks.map(({ newStart, lines }) => [
      newStart,
      lines.length,
    ]),
  ).toEqual([
    [9, 4],
    [12, 2],
    [38, 1],
    [39, 3],
    [50, 1],
  ]);
});

test('a last hunk with three lines after its change may not be the end of the file', () => {
  const longer = parseUnifiedDiff(`--- a/a\n+++ b/a\n@@ -1,4 +1,5 @@\n+0\n 1\n 2\n 3\n 4\n`).files[0];
  if (longer === undefined) throw new Error('the diff has a file');
  expect(gapsOf(longer, null, new Map()).map(({ hidden }) => hidden)).toEqual([0, null]);
  expect(gapsOf(longer, ['0', '1', '2', '3', '4'], new Map()).map(({ hidden }) => hidden)).toEqual([0, 0]);
});
