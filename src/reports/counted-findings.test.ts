import { expect, test } from 'vitest';
import { finding } from '../../test/fixtures/reports/sample-report.ts';
import { countFindings } from './counted-findings.ts';
import { createDiffContext } from './diff-context.ts';
import { changedFiles } from '../../test/fixtures/reports/sample-report.ts';

test('disputed and unverified findings count, rejected and known ones do not', () => {
  const items = [
    finding(),
    finding({ verdict: 'disputed', severity: 'minor' }),
    finding({ verdict: 'rejected' }),
    finding({ baseline: true }),
  ];
  expect(countFindings(items)).toBe('2 findings: 1 critical, 1 minor');
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
