import { expect, test } from 'vitest';
import { modifiedFile } from '../../parsers/diff/drawn-change.test-helper.ts';
import { checkReportsFor } from './check-reports.ts';

const files = [modifiedFile('a.ts', [[['added', 'x']]])];

test('a chunk is shown the results about its files, then those about no changed file, and none about other chunks', () => {
  const items = [
    { path: null, text: 'failed: everywhere' },
    { path: 'b.ts', text: 'failed: in b' },
    { path: 'a.ts', text: 'failed: in a' },
  ];
  expect(checkReportsFor(files, [{ name: 'r.xml', summary: '3 of 9 tests failed', items }])).toEqual([
    { name: 'r.xml', text: '3 of 9 tests failed\nfailed: in a\nfailed: everywhere' },
  ]);
});

test('the reports of a request share 8 KiB', () => {
  const items = Array.from({ length: 100 }, (_, index) => ({
    path: null,
    text: `${index} ${'ü'.repeat(200)}`,
  }));
  const reports = ['one', 'two', 'three'].map((name) => ({ name, summary: 'many', items }));
  const shown = checkReportsFor(files, reports);
  expect(shown).toHaveLength(3);
  expect(Buffer.byteLength(shown.map(({ text }) => text).join(''))).toBeLessThanOrEqual(8 * 1024);
  for (const { text } of shown) expect(text).toMatch(/^many\n0 ü+\n[^]*\n\[cut: \d+ more bytes\]$/);
});
