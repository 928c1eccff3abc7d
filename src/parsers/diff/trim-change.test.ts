import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiffFile } from './types.ts';
import { drawnChange, diffText, linesOfDiff, modifiedFile } from './drawn-change.test-helper.ts';
import { firstLines, hunkBoundaries, trimContext } from './trim-change.ts';

const file = modifiedFile('a.ts', [
  [
    ['context', '1'],
    ['context', '2'],
    ['added', '3'],
    ['context', '4'],
    ['context', '5'],
    ['context', '6'],
    ['removed', '7'],
    ['context', '8'],
  ],
]);

test('distant context is dropped and the hunk splits there', () => {
  expect(body(trimContext([file], 1))).toEqual([
    '@@ -2,2 +2,3 @@',
    ' 2',
    '+3',
    ' 4',
    '@@ -5,3 +6,2 @@',
    ' 6',
    '-7',
    ' 8',
  ]);
});

test('without context a pure addition is numbered by the line before it', () => {
  expect(body(trimContext([file], 0))).toEqual(['@@ -2,0 +3 @@', '+3', '@@ -6 +6,0 @@', '-7']);
});

test('trimming keeps every changed line with its number and adds none', () => {
  fc.assert(
    fc.property(drawnChange, fc.nat(4), (change, contextLines) => {
      const [before, after] = [
        linesOfDiff(diffText(change)),
        linesOfDiff(diffText(trimContext(change, contextLines))),
      ];
      expect(before).toEqual(expect.arrayContaining([...after]));
      expect(changedLines(trimContext(change, contextLines))).toEqual(changedLines(change));
    }),
  );
});

test('the first lines of a change are its beginning, with the same numbers', () => {
  fc.assert(
    fc.property(drawnChange, fc.nat(40), (change, count) => {
      const all = change.flatMap((each) => each.hunks).flatMap((hunk) => hunk.lines);
      const kept = firstLines(change, count);
      expect(kept.flatMap((each) => each.hunks).flatMap((hunk) => hunk.lines)).toEqual(all.slice(0, count));
      const left = linesOfDiff(diffText(kept));
      expect(linesOfDiff(diffText(change))).toEqual(expect.arrayContaining([...left]));
      expect(left).toHaveLength(Math.min(count, all.length));
    }),
  );
});

test('the boundaries count the lines up to each hunk', () => {
  const two = modifiedFile('b.ts', [
    [['added', 'x']],
    [
      ['added', 'y'],
      ['removed', 'z'],
    ],
  ]);
  expect(hunkBoundaries([file, two])).toEqual([8, 9, 11]);
});

function body(change: readonly DiffFile[]): readonly string[] {
  return diffText(change).trimEnd().split('\n').slice(3);
}

function changedLines(change: readonly DiffFile[]): readonly unknown[] {
  const lines = change.flatMap((each) => each.hunks).flatMap((hunk) => hunk.lines);
  return lines.filter((line) => line.kind !== 'context');
}
