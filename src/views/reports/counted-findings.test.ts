import { expect, test } from 'vitest';
import { finding } from '../../../test/fixtures/reports/sample-report.ts';
import { countFindings, remarksOn } from './counted-findings.ts';
import { createDiffContext } from './diff-context.ts';
import { changedFiles } from '../../../test/fixtures/reports/sample-report.ts';

const known = { reason: 'the bank rounds', expires: '2026-12-31', expired: false };

test('disputed and unverified findings count; rejected, known and suppressed ones do not', () => {
  const items = [
    finding(),
    finding({ verdict: 'disputed', severity: 'minor' }),
    finding({ verdict: 'rejected' }),
    finding({ baseline: true }),
    finding({ suppressed: known }),
    finding({ suppressed: { ...known, expired: true }, severity: 'important' }),
    finding({ suppressed: { ...known, expired: true }, baseline: true }),
  ];
  expect(countFindings(items)).toBe(
    '3 findings: 1 critical, 1 important, 1 minor; 2 still there; 1 suppressed',
  );
  expect(countFindings([finding({ suppressed: known })])).toBe('no findings that count; 1 suppressed');
  expect(countFindings([finding({ verdict: 'rejected' })])).toBe('no findings');
});

test('a finding that does not count says why, and one with an expired suppression says when it expired', () => {
  expect(remarksOn(finding({ baseline: true }))).toEqual([
    'still there: known from the baseline, does not count',
  ]);
  expect(remarksOn(finding({ suppressed: known }))).toEqual([
    'suppressed until 2026-12-31, does not count: the bank rounds',
  ]);
  expect(remarksOn(finding({ suppressed: { ...known, expires: null } }))).toEqual([
    'suppressed, does not count: the bank rounds',
  ]);
  expect(remarksOn(finding({ suppressed: { ...known, expired: true } }))).toEqual([
    'its suppression expired on 2026-12-31, it counts again: the bank rounds',
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
