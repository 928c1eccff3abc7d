import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../../src/client/review.ts';
import { cutSections, foldLines, type OpenedLines, type DiffSection } from './fold-lines.ts';

test('a file of ordinary length is shown completely, hunk by hunk', () => {
  expect(foldLines(fileOf(400), new Set(), []).map(told)).toEqual(['1–400']);
  expect(foldLines(fileOf(50, 60), new Set(), []).map(told)).toEqual(['1–50', '51–110']);
});

test('a long file shows its beginning and the lines around its findings', () => {
  expect(foldLines(fileOf(5000), new Set(['I2000']), []).map(told)).toEqual([
    '1–100',
    '1884 folded',
    '1985–2015',
    '2985 folded',
  ]);
});

test('only the first section of a hunk begins it, in a short file and in a long one', () => {
  expect(begins(foldLines(fileOf(50, 60), new Set(), []))).toEqual([true, true]);
  expect(begins(foldLines(fileOf(5000), new Set(['I2000']), []))).toEqual([true, 'folded', false, 'folded']);
});

test('a cut section is still the beginning of its hunk; a folded one has its position', () => {
  const file = fileOf(150, 5000);
  const [, hunk] = file.hunks;
  const sections = foldLines(file, new Set(), []);
  expect(sections.slice(1)).toEqual([
    { kind: 'folded', from: 100, count: 50 },
    { kind: 'folded', from: 150, count: 5000 },
  ]);
  const [cut] = cutSections(foldLines({ hunks: hunk === undefined ? [] : [hunk] }, new Set(), []), 3);
  expect(cut).toEqual({ kind: 'lines', hunk: { ...hunk, lines: hunk?.lines.slice(0, 3) }, beginsHunk: true });
});

test('requested lines are shown as well', () => {
  expect(foldLines(fileOf(5000), new Set(), [{ from: 100, to: 500 }]).map(told)).toEqual([
    '1–500',
    '4500 folded',
  ]);
});

test('the first view of a file has its first lines, and what is folded between them', () => {
  expect(firstOf(40).map(told)).toEqual(['1–40']);
  expect(firstOf(100).map(told)).toEqual(['1–100']);
  expect(firstOf(110).map(told)).toEqual(['1–100', '1884 folded', '1985–1994']);
  expect(firstOf(Infinity).map(told)).toEqual(['1–100', '1884 folded', '1985–2015', '2985 folded']);
});

function firstOf(count: number): readonly DiffSection[] {
  return cutSections(foldLines(fileOf(5000), new Set(['I2000']), []), count);
}

test('a few lines are not folded', () => {
  expect(foldLines(fileOf(500), new Set(['I124']), []).map(told)).toEqual(['1–139', '361 folded']);
});

test('no line is lost or repeated, and no section crosses a hunk, whatever is marked and opened', () => {
  const ranges = fc.array(
    fc.record({ from: fc.nat(1500), to: fc.nat(1500) }).filter(({ from, to }) => from < to),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 4 }),
      ranges,
      (sizes, opened: readonly OpenedLines[]) => {
        const file = fileOf(...sizes);
        const marked = new Set(['I3', 'I450', 'I451', 'I1200']);
        const sections = foldLines(file, marked, opened);
        const count = sections.reduce(
          (sum, section) => sum + (section.kind === 'folded' ? section.count : section.hunk.lines.length),
          0,
        );
        expect(count).toBe(sizes.reduce((sum, size) => sum + size, 0));
        const shown = sections.flatMap((section) => (section.kind === 'lines' ? section.hunk.lines : []));
        expect(new Set(shown).size).toBe(shown.length);
        const ofFindings = file.hunks
          .flatMap(({ lines }) => lines)
          .filter(({ newLine }) => marked.has(`I${newLine}`));
        expect(shown).toEqual(expect.arrayContaining(ofFindings));
        expect(
          sections.filter((section) => section.kind === 'lines' && section.beginsHunk).length,
        ).toBeLessThanOrEqual(sizes.length);
      },
    ),
  );
});

function told(section: DiffSection): string {
  if (section.kind === 'folded') return `${section.count} folded`;
  const { lines } = section.hunk;
  return `${lines[0]?.newLine}–${lines.at(-1)?.newLine}`;
}

/** An added file in hunks of these lengths. */
function fileOf(...sizes: readonly number[]) {
  let line = 1;
  const hunks = sizes.map((size) => {
    const text = `@@ -0,0 +${line},${size} @@\n${'+x\n'.repeat(size)}`;
    line += size;
    return text;
  });
  const [file] = parseUnifiedDiff(`--- /dev/null\n+++ b/a.ts\n${hunks.join('')}`).files;
  if (file === undefined) throw new Error('no file');
  return file;
}

const begins = (sections: readonly DiffSection[]) =>
  sections.map((section) => (section.kind === 'folded' ? 'folded' : section.beginsHunk));
