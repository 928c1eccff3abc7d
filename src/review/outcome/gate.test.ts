import { expect, test } from 'vitest';
import { gate, type OutcomeGateOptions } from './gate.ts';
import type { ReviewResult } from './result.ts';
import { exampleResult } from './result.test-helper.ts';
import { finding } from '../findings/findings.test-helper.ts';

function judge(changes: Partial<ReviewResult>, options: Partial<OutcomeGateOptions> = {}): string {
  const { exitCode, message } = gate(exampleResult(changes), {
    fail_on: 'critical',
    requireModel: false,
    ...options,
  });
  return `${exitCode} ${message}`;
}

const seen = (status: 'reviewed' | 'scanned' | 'skipped' | 'failed', path = 'a.ts') => ({
  ...exampleResult().coverage,
  files_changed: 1,
  files: [{ path, status, receipts: [] }],
});

test.each(['running', 'waiting', 'interrupted'] as const)('a result that is %s is refused', (state) => {
  expect(judge({ state, outcome: 'clean', findings: [] })).toBe(
    `4 refused: the review has not ended (${state})`,
  );
});

test('failed and incomplete results are refused with their reasons, whatever the threshold', () => {
  expect(judge({ outcome: 'failed', reasons: ['a: b', 'c: d'] }, { fail_on: 'never' })).toBe(
    '4 refused: the review failed: a: b; c: d',
  );
  expect(judge({ outcome: 'incomplete', reasons: [] }, { fail_on: 'never' })).toBe(
    '3 refused: the review is incomplete',
  );
});

test('a file that was not reviewed is refused, whatever the outcome is', () => {
  expect(judge({ outcome: 'clean', findings: [], coverage: seen('failed', 'x.ts') })).toBe(
    '3 refused: not reviewed: x.ts',
  );
  const files = [...seen('failed').files, ...seen('reviewed', 'b.ts').files, ...seen('failed', 'c.ts').files];
  expect(judge({ coverage: { ...seen('failed'), files_changed: 3, files } })).toBe(
    '3 refused: not reviewed: a.ts, c.ts',
  );
});

test('a review of nothing passes, unless it failed for that reason', () => {
  const nothing = {
    outcome: 'nothing_reviewed',
    findings: [],
    reasons: ['nothing_reviewable: nothing reviewable: 1 lock file'],
    coverage: seen('skipped', 'yarn.lock'),
  } satisfies Partial<ReviewResult>;
  expect(judge({ ...nothing, exit_code: 0 })).toBe(
    '0 passed: nothing was reviewed: nothing_reviewable: nothing reviewable: 1 lock file',
  );
  expect(judge({ ...nothing, reasons: [], exit_code: 3 })).toBe('3 refused: nothing was reviewed');
  expect(judge({ ...nothing, reasons: [], findings: [finding()], exit_code: 0 })).toBe(
    '1 refused: 1 of 1 finding at or above critical',
  );
});

test('a finding outside the change decides nothing until it is confirmed', () => {
  const outside = finding({ outside_change: true });
  expect(judge({ findings: [outside] })).toBe('0 passed: 1 finding, none at or above critical');
  expect(judge({ findings: [{ ...outside, verdict: 'confirmed' }] })).toBe(
    '1 refused: 1 of 1 finding at or above critical',
  );
});

test('the threshold is applied again; the findings decide, not the saved outcome', () => {
  const findings = [finding({ severity: 'important' }), finding({ severity: 'minor' })];
  expect(judge({ findings })).toBe('0 passed: 2 findings, none at or above critical');
  expect(judge({ findings }, { fail_on: 'important' })).toBe(
    '1 refused: 1 of 2 findings at or above important',
  );
  expect(judge({ findings, outcome: 'clean' }, { fail_on: 'minor' })).toBe(
    '1 refused: 2 of 2 findings at or above minor',
  );
  expect(judge({ findings: [finding()] }, { fail_on: 'never' })).toBe('0 passed: 1 finding');
  expect(judge({ findings: [finding()], exit_code: 0 })).toBe(
    '1 refused: 1 of 1 finding at or above critical',
  );
  expect(judge({ findings: [finding({ verdict: 'rejected' }), finding({ baseline: true })] })).toBe(
    '0 passed: no finding counts; 1 still there; 1 rejected',
  );
});

test('findings that do not count are listed, and one with an expired suppression counts', () => {
  const known = { reason: 'by design', expires: '2026-11-01', expired: false };
  const findings = [
    finding({ suppressed: known }),
    finding({ baseline: true }),
    finding({ severity: 'minor' }),
  ];
  expect(judge({ findings })).toBe(
    '0 passed: 1 finding, none at or above critical; 1 still there; 1 suppressed',
  );
  expect(judge({ findings: [finding({ suppressed: { ...known, expired: true } })] })).toBe(
    '1 refused: 1 of 1 finding at or above critical',
  );
});

test('without a threshold of its own the gate uses that of the review', () => {
  const findings = [finding({ severity: 'minor' })];
  expect(judge({ findings, fail_on: 'minor' }, { fail_on: null })).toBe(
    '1 refused: 1 of 1 finding at or above minor',
  );
  expect(judge({ findings, fail_on: 'important' }, { fail_on: null })).toBe(
    '0 passed: 1 finding, none at or above important',
  );
  expect(judge({ findings, fail_on: 'never' }, { fail_on: 'minor' })).toBe(
    '1 refused: 1 of 1 finding at or above minor',
  );
});

test('a coverage that does not name every file is refused', () => {
  const coverage = { ...seen('reviewed'), files_changed: 3 };
  expect(judge({ outcome: 'clean', findings: [], coverage })).toBe(
    '3 refused: 3 files were changed, but the result names 1',
  );
});

test('--require model checks the files instead of the saved assurance', () => {
  const tampered: Partial<ReviewResult> = {
    outcome: 'clean',
    findings: [],
    assurance: 'model',
    coverage: seen('scanned'),
  };
  expect(judge(tampered, { requireModel: true })).toBe('3 refused: static checks only, no model looked');
});

test('--require model refuses lines that only rules read, but not a change without reviewable lines', () => {
  const requireModel = { requireModel: true };
  const clean: Partial<ReviewResult> = { outcome: 'clean', findings: [] };
  const refused = '3 refused: static checks only, no model looked';
  expect(judge({ ...clean, assurance: 'static', coverage: seen('scanned') }, requireModel)).toBe(refused);
  expect(judge({ ...clean, assurance: 'none', coverage: seen('reviewed') }, requireModel)).toBe(
    '3 refused: no model looked',
  );
  expect(judge({ ...clean, assurance: 'model', coverage: seen('reviewed') }, requireModel)).toBe(
    '0 passed: no finding counts',
  );
  expect(judge({ ...clean, assurance: 'none', coverage: seen('skipped') }, requireModel)).toBe(
    '0 passed: no finding counts',
  );
  const both = {
    ...seen('scanned'),
    files_changed: 2,
    files: [...seen('skipped').files, ...seen('scanned').files],
  };
  expect(judge({ ...clean, assurance: 'static', coverage: both }, requireModel)).toBe(refused);
  expect(judge({ ...clean, assurance: 'static', coverage: seen('scanned') })).toBe(
    '0 passed: no finding counts',
  );
});
