import { expect, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { takeBaseline } from '../../review/findings/baseline.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import { readForBaseline } from './follow-baseline.ts';

const line = 'const total = 1;';

/** Findings about one line each of these paths. */
function baselineOf(...paths: readonly (string | null)[]) {
  const anchor = { line, symbol: null, ordinal: 1 };
  const findings = paths.map((path) => finding({ path, quote: line, anchor }));
  return readForBaseline(takeBaseline(report({ findings }), 'before.json'));
}

const rename = 'diff --git a/a.ts b/b.ts\nsimilarity index 100%\nrename from a.ts\nrename to b.ts\n';
const places = (reader: ReturnType<typeof baselineOf>, diff = '') =>
  reader.follow(parseUnifiedDiff(diff).files).findings.map(({ path, line_now }) => [path, line_now]);

test('the files of the findings are read, once each, and under their new names', () => {
  const { newTexts } = baselineOf('a.ts', 'a.ts', 'c.ts', null);
  expect(newTexts.paths({ text: rename, changed: [] })).toEqual(['a.ts', 'c.ts', 'b.ts']);
});

test('a line that is there, one that is gone, and a removed file', () => {
  const reader = baselineOf('a.ts', 'b.ts', 'c.ts', 'd.ts');
  reader.newTexts.take('a.ts', `first\n${line}\n`);
  reader.newTexts.take('b.ts', 'first\n');
  reader.newTexts.take('c.ts', null);
  expect(places(reader)).toEqual([
    ['a.ts', 'there'],
    ['b.ts', 'gone'],
    ['c.ts', 'gone'],
    ['d.ts', undefined],
  ]);
});

test('a text of more than a mebibyte is not searched', () => {
  const reader = baselineOf('a.ts', 'b.ts');
  const text = `${line}\n${'x'.repeat(1024 * 1024)}`;
  reader.newTexts.take('a.ts', text.slice(0, 1024 * 1024));
  reader.newTexts.take('b.ts', text.slice(0, 1024 * 1024 + 1));
  expect(places(reader)).toEqual([
    ['a.ts', 'there'],
    ['b.ts', undefined],
  ]);
});

test('secrets of a text are masked, as those of quotations are', () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const reader = baselineOf('a.ts');
  reader.newTexts.take('a.ts', `const total = 1; ${secret}\n`);
  expect(places(reader)).toEqual([['a.ts', 'gone']]);
});

test('without a text, the diff has the lines of an added file and the absence of a deleted one', () => {
  const added = `--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,2 @@\n+first\n+${line}\n`;
  const deleted = `--- a/b.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-${line}\n`;
  const modified = `--- a/c.ts\n+++ b/c.ts\n@@ -1 +1 @@\n-first\n+second\n`;
  expect(places(baselineOf('a.ts', 'b.ts', 'c.ts'), added + deleted + modified)).toEqual([
    ['a.ts', 'there'],
    ['b.ts', 'moved'],
    ['c.ts', undefined],
  ]);
});
