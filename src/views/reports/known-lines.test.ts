import { expect, test } from 'vitest';
import { exampleResult } from '../../review/outcome/result.test-helper.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { knownLines } from './known-lines.ts';

const { baseline: _baseline, suppressions: _suppressions, ...plain } = exampleResult();
const former = { identity: 'i', severity: 'minor', title: 't', path: 'a.ts' } as const;
const baseline: NonNullable<ReviewResult['baseline']> = {
  run_id: 'r-0',
  ended_at: null,
  outcome: 'findings',
  new: 1,
  still_there: 2,
  fixed: [former, former, former],
  not_looked_at: [],
};

test('a review without baseline, suppressions and cache does not mention them', () => {
  expect(knownLines(plain)).toEqual([]);
});

test('the baseline is summarized in numbers, including findings not looked at and its own gaps', () => {
  expect(knownLines({ ...plain, baseline })).toEqual([
    'since the baseline r-0: 1 new, 2 still there, 3 fixed',
  ]);
  expect(
    knownLines({ ...plain, baseline: { ...baseline, outcome: 'incomplete', not_looked_at: [former] } }),
  ).toEqual([
    'since the baseline r-0: 1 new, 2 still there, 3 fixed, 1 in files that were not looked at; ' +
      'the baseline is incomplete: findings in parts that it did not cover count as new',
  ]);
});

test('suppressed findings are counted; expired and unused entries are listed with their lines', () => {
  const file = 'collab.suppressions.yaml';
  const entry = { line: 2, reason: 'the bank rounds', expires: '2026-11-01' };
  const suppressions = {
    file,
    suppressed: 1,
    expired: [
      { ...entry, findings: 1 },
      { ...entry, line: 9, findings: 0 },
    ],
    unused: [
      { ...entry, line: 12, expires: null },
      { ...entry, line: 14, expires: null },
    ],
  };
  expect(knownLines({ ...plain, suppressions })).toEqual([
    `1 finding suppressed by ${file}`,
    `${file}:2 expired on 2026-11-01, 1 finding counted again: the bank rounds`,
    `${file}:9 expired on 2026-11-01, and fits no finding: the bank rounds`,
    `2 entries of ${file} fit no finding here: lines 12, 14`,
  ]);
  expect(knownLines({ ...plain, suppressions: { file, suppressed: 0, expired: [], unused: [] } })).toEqual(
    [],
  );
});

test('answers from the cache are counted', () => {
  const cached = { run_id: 'r-0', answered_at: '2026-11-20T09:30:30.000Z' };
  const [exchange] = plain.exchanges;
  if (exchange === undefined) throw new Error('the example has an exchange');
  expect(knownLines({ ...plain, exchanges: [{ ...exchange, cached }, exchange] })).toEqual([
    '1 of 2 exchanges answered from the cache: codex (m) reviewed the same lines in run r-0',
  ]);
  const asked = { state: 'given' as const, detail: null, asked: ['F1', 'F2'], same_family: false };
  const opinion = { ...asked, cached: [{ id: 'F2', ...cached }] };
  expect(knownLines({ ...plain, second_opinion: opinion })).toEqual([
    '1 of 2 verdicts of the lead from an earlier run (r-0); quotations are checked again',
  ]);
});
