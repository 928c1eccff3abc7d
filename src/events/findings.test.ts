import { expect, test } from 'vitest';
import { finding, findings } from '../../test/fixtures/reports/sample-report.ts';
import { inReportOrder, placeOfFinding } from './findings.ts';

test('findings are sorted by severity, those that do not count last', () => {
  const rejected = finding({ id: 'f0', verdict: 'rejected' });
  expect(inReportOrder([rejected, ...findings]).map(({ id }) => id)).toEqual(['f1', 'f2', 'f3', 'f0', 'f4']);
});

test('findings of the same severity are ordered by place', () => {
  const items = [
    finding({ id: 'd', path: null, start_line: null }),
    finding({ id: 'c', path: 'b.ts', start_line: 9 }),
    finding({ id: 'b', path: 'b.ts', start_line: 2 }),
    finding({ id: 'a', path: 'B.ts', start_line: 5 }),
  ];
  expect(inReportOrder(items).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

test('a place is rendered as precisely as it is known', () => {
  expect(
    [finding(), finding({ end_line: 43 }), finding({ start_line: null }), finding({ path: null })].map(
      placeOfFinding,
    ),
  ).toEqual([
    'src/checkout/total.ts:41',
    'src/checkout/total.ts:41-43',
    'src/checkout/total.ts',
    '(no place)',
  ]);
});
