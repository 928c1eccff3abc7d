import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUnifiedDiff } from './parse-diff.ts';
import { changedLinesOf, countLines, filesWithin, linesOf, sliceHunk, subtractRanges } from './ranges.ts';
import type { LineRange } from './types.ts';

const { files } = parseUnifiedDiff(
  [
    'diff --git a/a b/a',
    '--- a/a',
    '+++ b/a',
    '@@ -10,4 +20,4 @@ head',
    ' one',
    '-two',
    '-three',
    '+2',
    '+3',
    ' four',
    '@@ -30 +40,0 @@',
    '-last',
    'diff --git a/gone b/gone',
    'deleted file mode 100644',
    '--- a/gone',
    '+++ /dev/null',
    '@@ -1,2 +0,0 @@',
    '-x',
    '-y',
    '',
  ].join('\n'),
);

test('removed lines are counted on the old side, all others on the new one', () => {
  expect(linesOf(files)).toEqual([
    { path: 'a', side: 'old', start: 11, end: 12 },
    { path: 'a', side: 'old', start: 30, end: 30 },
    { path: 'a', side: 'new', start: 20, end: 23 },
    { path: 'gone', side: 'old', start: 1, end: 2 },
  ]);
  expect(changedLinesOf(files)).toEqual([
    { path: 'a', side: 'old', start: 11, end: 12 },
    { path: 'a', side: 'old', start: 30, end: 30 },
    { path: 'a', side: 'new', start: 21, end: 22 },
    { path: 'gone', side: 'old', start: 1, end: 2 },
  ]);
  expect(countLines(linesOf(files))).toBe(9);
  expect(countLines([])).toBe(0);
});

test('shown lines are subtracted, on their own side and path only', () => {
  const all: LineRange[] = [{ path: 'a', side: 'new', start: 10, end: 20 }];
  const cut = (path: string, side: 'new' | 'old', start: number, end: number) =>
    subtractRanges(all, [{ path, side, start, end }]).map((range) => [range.start, range.end]);
  expect(cut('a', 'new', 12, 14)).toEqual([
    [10, 11],
    [15, 20],
  ]);
  expect(cut('a', 'new', 1, 9)).toEqual([[10, 20]]);
  expect(cut('a', 'new', 21, 30)).toEqual([[10, 20]]);
  expect(cut('a', 'new', 1, 10)).toEqual([[11, 20]]);
  expect(cut('a', 'new', 20, 21)).toEqual([[10, 19]]);
  expect(cut('a', 'new', 10, 20)).toEqual([]);
  expect(cut('a', 'old', 10, 20)).toEqual([[10, 20]]);
  expect(cut('b', 'new', 10, 20)).toEqual([[10, 20]]);
});

const range = fc
  .record({
    path: fc.constantFrom('a', 'b'),
    side: fc.constantFrom('new' as const, 'old' as const),
    start: fc.integer({ min: 1, max: 40 }),
    length: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ path, side, start, length }): LineRange => ({ path, side, start, end: start + length }));

function members(ranges: readonly LineRange[]): ReadonlySet<string> {
  return new Set(
    ranges.flatMap(({ path, side, start, end }) =>
      Array.from({ length: end - start + 1 }, (_, offset) => `${side} ${path} ${start + offset}`),
    ),
  );
}

test('subtraction works like that of sets, for any overlap and order', () => {
  fc.assert(
    fc.property(fc.array(range), fc.array(range), (all, shown) => {
      const gone = members(shown);
      const expected = [...members(all)].filter((line) => !gone.has(line));
      expect([...members(subtractRanges(all, shown))].toSorted()).toEqual(expected.toSorted());
    }),
  );
});

test('the files within ranges keep exactly those lines, hunks rebuilt', () => {
  expect(filesWithin(files, [{ path: 'a', side: 'new', start: 21, end: 22 }])).toEqual([
    {
      ...files[0],
      hunks: [
        {
          heading: 'head',
          oldStart: 12,
          oldLines: 0,
          newStart: 21,
          newLines: 2,
          lines: files[0]?.hunks[0]?.lines.slice(3, 5),
        },
      ],
    },
  ]);
  expect(
    filesWithin(files, [
      { path: 'a', side: 'new', start: 20, end: 20 },
      { path: 'a', side: 'old', start: 12, end: 12 },
    ])[0]?.hunks.map(({ oldStart, oldLines, newStart, newLines }) => [
      oldStart,
      oldLines,
      newStart,
      newLines,
    ]),
  ).toEqual([
    [10, 1, 20, 1],
    [12, 1, 20, 0],
  ]);
  expect(filesWithin(files, linesOf(files))).toEqual(files);
  expect(filesWithin(files, [])).toEqual([]);
});

test('the shown part and the rest are the change, each line once', () => {
  fc.assert(
    fc.property(fc.array(range), (shown) => {
      const all = linesOf(files);
      const rest = subtractRanges(all, shown);
      expect([...members(linesOf(filesWithin(files, rest)))].toSorted()).toEqual(
        [...members(rest)].toSorted(),
      );
    }),
  );
});

test('a slice of a hunk has the numbers of its own lines', () => {
  const hunk = files[0]?.hunks[0] ?? {
    heading: '',
    oldStart: 0,
    oldLines: 0,
    newStart: 0,
    newLines: 0,
    lines: [],
  };
  expect(sliceHunk(hunk, 0, 6)).toEqual(hunk);
  expect(sliceHunk(hunk, 1, 3)).toEqual({
    heading: 'head',
    oldStart: 11,
    oldLines: 2,
    newStart: 20,
    newLines: 0,
    lines: hunk.lines.slice(1, 3),
  });
  const insertion = parseUnifiedDiff('--- a\n+++ a\n@@ -5,0 +6,2 @@\n+a\n+b\n').files[0]?.hunks[0] ?? hunk;
  expect(sliceHunk(insertion, 1, 2)).toEqual({
    heading: '',
    oldStart: 5,
    oldLines: 0,
    newStart: 7,
    newLines: 1,
    lines: insertion.lines.slice(1),
  });
});
