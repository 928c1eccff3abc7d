import { expect, test } from 'vitest';
import { pathInside } from '../../text/path-inside.ts';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { reportsOf } from '../../../test/fixtures/reports/expect-whole.ts';
import { reportedPath } from './reported-path.ts';

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['src/../lib/a.ts', 'lib/a.ts'],
  ['./src//a.ts', 'src/a.ts'],
  ['a..b/..c', 'a..b/..c'],
  ['src/a\\b.ts', 'src/a\\b.ts'],
  ['../../etc/passwd', null],
  ['src/../../etc/passwd', null],
  ['..\\..\\etc', null],
  ['/etc/passwd', null],
  ['\\\\host\\share', null],
  ['C:\\Users\\a', null],
  ['c:/Users/a', null],
  ['file:///etc/passwd', null],
  ['..', null],
  ['', null],
  [null, null],
])('of %j the path inside of the repository is %j', (path, inside) => {
  expect(pathInside(path)).toBe(inside);
  expect(reportedPath(path)).toBe(inside ?? '.');
});

test('control characters in a name are shown', () => {
  expect(reportedPath('a\nb\tc')).toBe('a\u240ab\u2409c');
});

test('no report for other programs names a path outside of the repository', async () => {
  const paths = ['../../etc/passwd', 'src/../../etc/passwd', '/etc/passwd', 'C:\\etc\\passwd'];
  const findings = paths.map((path, index) => finding({ path, identity: `identity-${index}` }));
  const files = paths.map((path) => ({ path, status: 'skipped' as const, receipts: [] }));
  const result = report({ findings, outcome: 'incomplete', exit_code: 3 });
  const reports = await reportsOf({ ...result, coverage: { ...result.coverage, files } });
  const places = [
    ...reports.sarif.matchAll(/"uri": "([^"]*)"/g),
    ...reports.rdjson.matchAll(/"path": "([^"]*)"/g),
    ...reports.gitlab.matchAll(/"path": "([^"]*)"/g),
    ...reports.github.matchAll(/^::\w+ .*?file=([^,:]*)/gm),
  ].map(([, place]) => place);
  expect(new Set(places)).toEqual(new Set(['no-place-in-the-change', '.']));
});
