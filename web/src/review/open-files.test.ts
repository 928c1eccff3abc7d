import { expect, test } from 'vitest';
import { finding } from '../../../test/fixtures/reports/sample-report.ts';
import { parseUnifiedDiff } from '../../../src/client/review.ts';
import { filesOpenAtFirst, linesOfFirstView } from './open-files.ts';
import { placeFindings } from './place-findings.ts';

test('a change of ordinary size is completely open', () => {
  expect([...open(sizes(10, 20, 30), [])]).toEqual(['file-1', 'file-2', 'file-3']);
});

test('in a large one the files with findings are first, then as many as are drawn at once', () => {
  const many = sizes(...Array.from({ length: 40 }, () => 300));
  const opened = open(many, [39, 40]);
  expect(opened.has('file-39') && opened.has('file-40')).toBe(true);
  expect([...opened].slice(2)).toEqual(Array.from({ length: 1 }, (_, index) => `file-${index + 1}`));
});

test('a file without lines does not use the limit', () => {
  const binary = 'diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n';
  expect([...open(binary, [])]).toEqual(['file-1']);
});

test('skipped files stay closed, except for those with a finding', () => {
  expect([...open(sizes(10, 20, 30), [3], ['2.ts', '3.ts'])]).toEqual(['file-3', 'file-1']);
});

test('the first view has as many lines of the open files, in their order, as fit below the parts above them', () => {
  const placed = placeFindings(parseUnifiedDiff(sizes(50, 30, 100, 10)).files, []);
  const first = linesOfFirstView(placed, new Set(['file-1', 'file-3', 'file-4']), 200 + 119 * 19 + 1);
  expect(Object.fromEntries(first)).toEqual({ 'file-1': 50, 'file-3': 70, 'file-4': 0 });
});

function sizes(...lines: readonly number[]): string {
  return lines
    .map(
      (size, index) => `--- /dev/null\n+++ b/${index + 1}.ts\n@@ -0,0 +1,${size} @@\n${'+x\n'.repeat(size)}`,
    )
    .join('');
}

function open(
  diff: string,
  withFindings: readonly number[],
  skipped: readonly string[] = [],
): ReadonlySet<string> {
  const findings = withFindings.map((number) =>
    finding({ id: `f${number}`, path: `${number}.ts`, start_line: 1, end_line: 1 }),
  );
  return filesOpenAtFirst(placeFindings(parseUnifiedDiff(diff).files, findings), new Set(skipped));
}
