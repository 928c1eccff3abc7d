import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { widenHunks } from './widen.ts';
import { parseUnifiedDiff } from './parse-diff.ts';
import { renderDiffFile } from './render.ts';
import { changedLinesOf } from './ranges.ts';

const body = (count: number) => Array.from({ length: count }, (_, index) => `  step(${index});`);

/** A function of that many lines before the changed one, in a diff as git writes it. */
function changeIn(count: number, oldOffset = 0) {
  const text = ['// head', 'function run() {', ...body(count), '  changed();', '}', ''];
  const start = count;
  const diff =
    `--- a/f\n+++ b/f\n@@ -${start + oldOffset},5 +${start},5 @@ function run() {\n` +
    `${text
      .slice(start - 1, start + 2)
      .map((line) => ` ${line}\n`)
      .join('')}-  old();\n+  changed();\n }\n`;
  const [file] = parseUnifiedDiff(diff).files;
  if (file === undefined) throw new Error('no file');
  return { file, text: text.join('\n') };
}

test('a hunk starts at the first line of its function, with correct numbers on both sides', () => {
  const { file, text } = changeIn(10, 7);
  const wide = widenHunks(file, text);
  const [hunk] = wide.hunks;
  expect(hunk).toMatchObject({ heading: '', oldStart: 9, newStart: 2, oldLines: 13, newLines: 13 });
  expect(hunk?.lines[0]).toMatchObject({ text: 'function run() {', oldLine: 9, newLine: 2 });
  expect(parseUnifiedDiff(renderDiffFile(wide)).faults).toEqual([]);
  expect(changedLinesOf([wide])).toEqual(changedLinesOf([file]));
});

test('a first line that is over forty lines away, missing or above another hunk stays after the @@', () => {
  const far = changeIn(60);
  expect(widenHunks(far.file, far.text)).toEqual(far.file);
  const near = changeIn(10);
  expect(widenHunks(near.file, 'another text\n')).toEqual(near.file);
  const two = {
    ...near.file,
    hunks: [
      { ...near.file.hunks[0], heading: '', oldStart: 4, oldLines: 1, newStart: 4, newLines: 1, lines: [] },
      ...near.file.hunks,
    ],
  };
  expect(widenHunks(two, near.text).hunks[1]).toEqual(near.file.hunks[0]);
});

test('for any text, changed lines stay and the hunks do not contradict themselves', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 80 }),
      fc.nat({ max: 30 }),
      fc.array(fc.string()),
      (count, offset, other) => {
        const { file, text } = changeIn(count, offset);
        for (const source of [text, other.join('\n')]) {
          const wide = widenHunks(file, source);
          expect(changedLinesOf([wide])).toEqual(changedLinesOf([file]));
          expect(parseUnifiedDiff(renderDiffFile(wide)).faults).toEqual([]);
        }
      },
    ),
  );
});
