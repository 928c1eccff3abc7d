import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderDiff } from './render-diff.ts';
import { drawnChange, linesOfDiff, modifiedFile } from './test-requests.ts';
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

test('far context goes and the hunk splits where it was', () => {
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
  expect(body(trimContext([file], 0))).toEqual(['@@ -2,0 +3,1 @@', '+3', '@@ -6,1 +6,0 @@', '-7']);
});

test('trimming keeps every changed line with its number and adds none', () => {
  fc.assert(
    fc.property(drawnChange, fc.nat(4), (change, contextLines) => {
      const [before, after] = [
        linesOfDiff(text(change)),
        linesOfDiff(text(trimContext(change, contextLines))),
      ];
      expect(before).toEqual(expect.arrayContaining([...after]));
      expect(changedLines(trimContext(change, contextLines))).toEqual(changedLines(change));
    }),
  );
});

test('the first lines of a change are a beginning of it, with the same numbers', () => {
  fc.assert(
    fc.property(drawnChange, fc.nat(40), (change, count) => {
      const all = change.flatMap((each) => each.hunks).flatMap((hunk) => hunk.lines);
      const kept = firstLines(change, count);
      expect(kept.flatMap((each) => each.hunks).flatMap((hunk) => hunk.lines)).toEqual(all.slice(0, count));
      const left = linesOfDiff(text(kept));
      expect(linesOfDiff(text(change))).toEqual(expect.arrayContaining([...left]));
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

function text(change: Parameters<typeof renderDiff>[0]): string {
  return renderDiff(change).text;
}

function body(change: Parameters<typeof renderDiff>[0]): readonly string[] {
  return text(change).trimEnd().split('\n').slice(3);
}

function changedLines(change: Parameters<typeof renderDiff>[0]): readonly unknown[] {
  const lines = change.flatMap((each) => each.hunks).flatMap((hunk) => hunk.lines);
  return lines.filter((line) => line.kind !== 'context');
}
