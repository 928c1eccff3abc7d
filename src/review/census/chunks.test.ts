import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { renderDiffFile } from '../../parsers/diff/render.ts';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import { estimateTokens, planChunks } from './chunks.ts';

/** A change whose hunk has the given marks, one line each. */
function change(path: string, marks: string, text = 'line'): string {
  const count = (absent: string) => marks.replaceAll(absent, '').length;
  const body = marks
    .split('')
    .map((mark, index) => `${mark}${text} ${index}\n`)
    .join('');
  return `--- a/${path}\n+++ b/${path}\n@@ -10,${count('+')} +20,${count('-')} @@ head\n${body}`;
}

function filesOf(...texts: readonly string[]): readonly DiffFile[] {
  return parseUnifiedDiff(texts.join('')).files;
}

function paths(files: readonly DiffFile[], budget: number): readonly (readonly string[])[] {
  return planChunks(files, budget).map((chunk) => chunk.files.map(({ path }) => path));
}

test('a change that fits is one chunk with the tokens of its rendered text', () => {
  const files = filesOf(change('a.ts', '+'), change('b.ts', '-+'));
  const bytes = Buffer.byteLength(files.map(renderDiffFile).join(''));
  expect(planChunks(files, Math.ceil(bytes / 4))).toEqual([
    { name: 'chunk-1', files, estimatedTokens: Math.ceil(bytes / 4) },
  ]);
  expect(planChunks(files, Math.floor((bytes - 1) / 4)).map(({ name }) => name)).toEqual([
    'chunk-1',
    'chunk-2',
  ]);
  expect(planChunks([], 100)).toEqual([]);
});

test('tokens are UTF-8 bytes divided by four, rounded up', () => {
  const [ascii, kanji] = filesOf(change('a.ts', '+', 'abc'), change('a.ts', '+', '日本語'));
  const tokens = [ascii, kanji].map((file) => (file === undefined ? 0 : estimateTokens(file)));
  expect(tokens).toEqual(
    [ascii, kanji].map((file) => Math.ceil(Buffer.byteLength(file ? renderDiffFile(file) : '') / 4)),
  );
  expect((tokens[1] ?? 0) - (tokens[0] ?? 0)).toBeGreaterThanOrEqual(1);
});

test('files of one folder stay together, in the order in which folders appear', () => {
  const files = filesOf(
    change('a.ts', '+'),
    change('src/a.ts', '+'),
    change('b.ts', '+'),
    change('src/b.ts', '+'),
  );
  const two = files
    .slice(1, 2)
    .concat(files.slice(3))
    .reduce((sum, file) => sum + estimateTokens(file), 0);
  expect(paths(files, 10_000)).toEqual([['a.ts', 'b.ts', 'src/a.ts', 'src/b.ts']]);
  expect(paths(files, two + 10)).toEqual([
    ['a.ts', 'b.ts'],
    ['src/a.ts', 'src/b.ts'],
  ]);
});

test('a folder that fits into its own chunk does not start in the rest of another', () => {
  const files = filesOf(change('a/1', '+'), change('b/1', '+'), change('b/2', '+'));
  const three = files.reduce((sum, file) => sum + estimateTokens(file), 0);
  expect(paths(files, three - 2)).toEqual([['a/1'], ['b/1', 'b/2']]);
});

test('the remainder of a folder above the budget fills another chunk', () => {
  const files = filesOf(change('a/1', '+'), change('b/1', '+'), change('b/2', '+'), change('b/3', '+'));
  const one = Math.max(...files.map(estimateTokens));
  expect(paths(files, one * 2)).toEqual([
    ['a/1', 'b/3'],
    ['b/1', 'b/2'],
  ]);
});

test('a test stays with its source, at the place of the source', () => {
  const files = filesOf(
    change('src/a.ts', '+'),
    change('src/b.ts', '+'),
    change('src/c.ts', '+'),
    change('test/b.test.ts', '+'),
  );
  const pair = [1, 3].reduce((sum, index) => sum + tokensOf(files[index]), 0);
  expect(paths(files, 10_000)).toEqual([['src/a.ts', 'src/b.ts', 'test/b.test.ts', 'src/c.ts']]);
  expect(paths(files, pair + 1)).toEqual([
    ['src/a.ts', 'src/c.ts'],
    ['src/b.ts', 'test/b.test.ts'],
  ]);
});

test('files of a folder that import each other stay together before mere neighbors', () => {
  const files = filesOf(
    change('src/a.ts', '+', "import { d } from './d.js'; //"),
    change('src/b.ts', '+', 'line'.padEnd(30)),
    change('src/c.ts', '+', 'line'.padEnd(30)),
    change('src/d.ts', '+', 'line'.padEnd(30)),
  );
  const budget = tokensOf(files[0]) + tokensOf(files[3]);
  expect(paths(files, budget)).toEqual([
    ['src/a.ts', 'src/d.ts'],
    ['src/b.ts', 'src/c.ts'],
  ]);
});

test('imported files of other folders are added if they fit', () => {
  const files = filesOf(
    change('app/page.py', '+', 'from ..lib.words import shown #'),
    change('docs/x.md', '+', 'x'.repeat(60)),
    change('lib/words.py', '+', 'x'.repeat(60)),
  );
  const budget = tokensOf(files[0]) + tokensOf(files[2]);
  expect(paths(files, budget)).toEqual([['app/page.py', 'lib/words.py'], ['docs/x.md']]);
  expect(paths(files, budget - 1)).toEqual([['app/page.py', 'docs/x.md'], ['lib/words.py']]);
});

test('a large file is split between its hunks, each part with the file header', () => {
  const text =
    'diff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n' +
    [1, 20, 40]
      .map((line) => `@@ -${line} +${line} @@\n-${'old '.repeat(10)}\n+${'new '.repeat(10)}\n`)
      .join('');
  const [file] = filesOf(text);
  if (file === undefined) throw new Error('the fixture has a file');
  const budget = Math.ceil(
    (Buffer.byteLength(renderDiffFile({ ...file, hunks: file.hunks.slice(0, 2) })) + 3) / 4,
  );
  expect(planChunks([file], budget).map((chunk) => chunk.files)).toEqual([
    [{ ...file, hunks: file.hunks.slice(0, 2) }],
    [{ ...file, hunks: file.hunks.slice(2) }],
  ]);
});

test('a hunk above the budget is split next to a context line, with its own numbers', () => {
  const files = filesOf(change('a.ts', '+-+ +-+-+-+-+-+-+-+-', 'x'.repeat(20)));
  const parts = planChunks(files, 50).flatMap((chunk) => chunk.files);
  const [first, second] = parts.flatMap(({ hunks }) => hunks);
  expect(first?.lines.map(({ kind }) => kind)).toEqual(['added', 'removed', 'added', 'context']);
  expect([first?.oldStart, first?.oldLines, first?.newStart, first?.newLines]).toEqual([10, 2, 20, 3]);
  expect([second?.heading, second?.oldStart, second?.newStart]).toEqual(['head', 12, 23]);
});

test('without a context line in the second half a hunk is split where the room ends', () => {
  const files = filesOf(change('a.ts', ` ${'+'.repeat(30)}`, 'x'.repeat(20)));
  const lengths = planChunks(files, 100).flatMap((chunk) =>
    chunk.files.flatMap(({ hunks }) => hunks.map(({ lines }) => lines.length)),
  );
  expect(lengths[0]).toBeGreaterThan(5);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(31);
});

test('a single line above the budget is a chunk of its own, uncut', () => {
  const files = filesOf(change('a.ts', ' + ', 'y'.repeat(400)));
  const chunks = planChunks(files, 30);
  expect(
    chunks.map((chunk) => chunk.files.flatMap(({ hunks }) => hunks.map(({ lines }) => lines.length))),
  ).toEqual([[1], [1], [1]]);
});

test('a file without hunks keeps its place, however small the budget', () => {
  const files = filesOf('diff --git a/x b/x\nold mode 100644\nnew mode 100755\n');
  expect(planChunks(files, 1).map((chunk) => chunk.files)).toEqual([files]);
});

function tokensOf(file: DiffFile | undefined): number {
  return file === undefined ? 0 : estimateTokens(file);
}

const hunkMarks = fc
  .array(fc.constantFrom('+', '-', ' '), { minLength: 1, maxLength: 60 })
  .map((marks) => marks.join(''));
const randomChange = fc
  .tuple(fc.constantFrom('', 'src/', 'test/'), fc.nat({ max: 5 }), hunkMarks, fc.nat({ max: 40 }))
  .map(([folder, name, marks, width]) => change(`${folder}${name}.ts`, marks, 'z'.repeat(width)));

function firstOf(lines: readonly DiffLine[], side: 'oldLine' | 'newLine'): number | null | undefined {
  return lines.find((line) => line[side] !== null)?.[side];
}

function linesIn(files: readonly DiffFile[]): readonly string[] {
  return files.flatMap((file) =>
    file.hunks.flatMap(({ lines }) => lines.map((line) => JSON.stringify([file.path, line]))),
  );
}

test('the lines of all chunks together are the lines of the change, each once', () => {
  fc.assert(
    fc.property(
      fc.array(randomChange, { maxLength: 8 }),
      fc.integer({ min: 1, max: 400 }),
      (texts, budget) => {
        const files = filesOf(...texts);
        const chunks = planChunks(files, budget);
        const all = chunks.flatMap((chunk) => chunk.files);
        expect(linesIn(all).toSorted()).toEqual(linesIn(files).toSorted());
        expect(new Set(all.map(({ path }) => path))).toEqual(new Set(files.map(({ path }) => path)));
        expect(chunks.map(({ name }) => name)).toEqual(chunks.map((_, index) => `chunk-${index + 1}`));
      },
    ),
  );
});

test('a chunk is above the budget only because of a single line', () => {
  fc.assert(
    fc.property(
      fc.array(randomChange, { maxLength: 8 }),
      fc.integer({ min: 1, max: 400 }),
      (texts, budget) => {
        const chunks = planChunks(filesOf(...texts), budget);
        const above = chunks.filter(({ estimatedTokens }) => estimatedTokens > budget);
        const lines = above.map(
          (chunk) => chunk.files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines)).length,
        );
        expect(lines).toEqual(above.map(() => 1));
      },
    ),
  );
});

test('every part has the numbers of its lines', () => {
  fc.assert(
    fc.property(randomChange, fc.integer({ min: 1, max: 200 }), (text, budget) => {
      const hunks = planChunks(filesOf(text), budget).flatMap((chunk) =>
        chunk.files.flatMap((file) => file.hunks),
      );
      for (const hunk of hunks) {
        expect(firstOf(hunk.lines, 'oldLine') ?? hunk.oldStart).toBe(hunk.oldStart);
        expect(firstOf(hunk.lines, 'newLine') ?? hunk.newStart).toBe(hunk.newStart);
        expect(hunk.oldLines).toBe(hunk.lines.filter(({ oldLine }) => oldLine !== null).length);
        expect(hunk.newLines).toBe(hunk.lines.filter(({ newLine }) => newLine !== null).length);
      }
      expect(
        parseUnifiedDiff(
          planChunks(filesOf(text), budget)
            .flatMap((chunk) => chunk.files.map(renderDiffFile))
            .join(''),
        ).faults.filter(({ kind }) => kind !== 'repeated'),
      ).toEqual([]);
    }),
  );
});
