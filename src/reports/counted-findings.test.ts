import { expect, test } from 'vitest';
import { finding, findings } from '../../test/fixtures/reports/sample-report.ts';
import { countFindings, inReportOrder, placeOf } from './counted-findings.ts';
import { createDiffContext } from './diff-context.ts';
import { changedFiles } from '../../test/fixtures/reports/sample-report.ts';

test('the worst comes first, what does not count comes last', () => {
  const rejected = finding({ id: 'f0', verdict: 'rejected' });
  expect(inReportOrder([rejected, ...findings]).map(({ id }) => id)).toEqual(['f1', 'f2', 'f3', 'f0', 'f4']);
});

test('within a grade findings are ordered by place', () => {
  const items = [
    finding({ id: 'd', path: null, start_line: null }),
    finding({ id: 'c', path: 'b.ts', start_line: 9 }),
    finding({ id: 'b', path: 'b.ts', start_line: 2 }),
    finding({ id: 'a', path: 'B.ts', start_line: 5 }),
  ];
  expect(inReportOrder(items).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

test('disputed and unverified findings count, rejected and known ones do not', () => {
  const items = [
    finding(),
    finding({ verdict: 'disputed', severity: 'minor' }),
    finding({ verdict: 'rejected' }),
    finding({ baseline: true }),
  ];
  expect(countFindings(items)).toBe('2 findings: 1 critical, 1 minor');
});

test('a place is as exact as it is known', () => {
  expect(
    [finding(), finding({ end_line: 43 }), finding({ start_line: null }), finding({ path: null })].map(
      placeOf,
    ),
  ).toEqual([
    'src/checkout/total.ts:41',
    'src/checkout/total.ts:41-43',
    'src/checkout/total.ts',
    '(no place)',
  ]);
});

test('the context of a finding is the lines around it on its own side', () => {
  const contextOf = createDiffContext(changedFiles, 1);
  expect(contextOf(finding()).map(({ number, marked }) => [number, marked])).toEqual([
    [40, false],
    [41, true],
    [42, false],
  ]);
  expect(
    contextOf(finding({ side: 'old', start_line: 40, end_line: 40 })).map(({ number }) => number),
  ).toEqual([39, 40, null]);
  expect(contextOf(finding({ start_line: 99, end_line: 99 }))).toEqual([]);
  expect(contextOf(finding({ path: 'elsewhere.ts' }))).toEqual([]);
});
