import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { renderDiffFile, renderHunk } from '../../parsers/diff/render.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { splitFile } from './chunk-split.ts';

/** A file with one hunk of the given marks; every line has eight bytes. */
function fileOf(marks: string): DiffFile {
  const count = (absent: string) => marks.replaceAll(absent, '').length;
  const body = marks.replaceAll(/./gu, (mark) => `${mark}line x\n`);
  const text = `--- a/f\n+++ b/f\n@@ -10,${count('+')} +10,${count('-')} @@\n${body}`;
  const [file] = parseUnifiedDiff(text).files;
  if (file === undefined) throw new Error('the fixture has a file');
  return file;
}

const bytesPerLine = 8;
/** Reserved for longer numbers in the `@@` line of a part. */
const reserved = 24;

/** The number of lines in each part when `room` lines fit. */
function partsOf(marks: string, room: number): readonly number[] {
  const file = fileOf(marks);
  const overhead = Buffer.byteLength(renderDiffFile(file)) - marks.length * bytesPerLine;
  const parts = splitFile(file, overhead + reserved + room * bytesPerLine);
  return parts.flatMap(({ hunks }) => hunks.map(({ lines }) => lines.length));
}

test.each([
  ['++++++++++++', 4, [4, 4, 4]],
  ['++++++++++++++', 4, [4, 4, 4, 2]],
  ['+++ ++++++++++', 5, [4, 5, 5]],
  ['++ +++++++++++', 6, [3, 6, 5]],
  ['+ ++++++++++++', 6, [6, 6, 2]],
  ['++++++ +++++++', 4, [4, 3, 4, 3]],
  ['++ + ++++++++', 4, [4, 4, 4, 1]],
  ['+++++++++++ +', 7, [7, 6]],
])('the hunk %j with room for %i lines is split into %j', (marks, room, lengths) => {
  expect(partsOf(marks, room)).toEqual(lengths);
});

test('a file that just fits is unchanged', () => {
  const file = fileOf('+++');
  expect(splitFile(file, Buffer.byteLength(renderDiffFile(file)))[0]).toBe(file);
});

test('hunks that just fit stay whole and together', () => {
  const hunks = [10, 30, 50].map((line) => `@@ -${line} +${line},2 @@\n same\n+added ${line}\n`);
  const [file] = parseUnifiedDiff(`--- a/f\n+++ b/f\n${hunks.join('')}`).files;
  if (file === undefined) throw new Error('the fixture has a file');
  const [first, second, third] = file.hunks;
  const bytes = (count: number) =>
    Buffer.byteLength(renderDiffFile(file)) -
    file.hunks.slice(count).reduce((sum, hunk) => sum + Buffer.byteLength(renderHunk(hunk)), 0);
  expect(splitFile(file, bytes(2)).map((part) => part.hunks)).toEqual([[first, second], [third]]);
  expect(splitFile(file, bytes(1)).map((part) => part.hunks)).toEqual([[first], [second], [third]]);
});
