import { expect, test } from 'vitest';
import { finding } from '../../../test/fixtures/reports/sample-report.ts';
import type { Severity } from '../../../src/client/run-events.ts';
import { severities } from '../../../src/client/review.ts';
import { chooseFindings, countSeverities, stepTo } from './choose-findings.ts';

const findings = [
  finding({ id: 'minor', severity: 'minor' }),
  finding({ id: 'rejected', verdict: 'rejected' }),
  finding({ id: 'late', path: 'z.ts' }),
  finding({ id: 'early', path: 'a.ts' }),
  finding({ id: 'known', severity: 'important', baseline: true }),
  finding({ id: 'suppressed', suppressed: { reason: 'r', expires: null, expired: false } }),
  finding({
    id: 'again',
    severity: 'minor',
    path: 'z.ts',
    suppressed: { reason: 'r', expires: '2026-01-01', expired: true },
  }),
  finding({ id: 'disputed', severity: 'important', verdict: 'disputed' }),
];
const all = new Set(severities);

test('counting findings are listed worst first; the others are separate', () => {
  const { counted, known } = chooseFindings(findings, all);
  expect(counted.map(({ id }) => id)).toEqual(['early', 'late', 'disputed', 'minor', 'again']);
  expect(known.map(({ id }) => id)).toEqual(['rejected', 'suppressed', 'known']);
});

test.each<[readonly Severity[], readonly string[]]>([
  [['important'], ['disputed', 'known']],
  [
    ['critical', 'minor'],
    ['early', 'late', 'minor', 'again', 'rejected', 'suppressed'],
  ],
  [[], []],
])('chosen severities %j leave %j', (shown, ids) => {
  const { counted, known } = chooseFindings(findings, new Set(shown));
  expect([...counted, ...known].map(({ id }) => id)).toEqual(ids);
});

test('the numbers at the severities count only counting findings', () => {
  expect(countSeverities(findings)).toEqual({ critical: 2, important: 1, minor: 2 });
});

test('next and previous wrap around in the order of the list', () => {
  const lists = chooseFindings(findings, new Set<Severity>(['important']));
  expect(stepTo(lists, null, 1)).toBe('disputed');
  expect(stepTo(lists, 'disputed', 1)).toBe('known');
  expect(stepTo(lists, 'known', 1)).toBe('disputed');
  expect(stepTo(lists, null, -1)).toBe('known');
  expect(stepTo(lists, 'disputed', -1)).toBe('known');
  expect(stepTo(lists, 'hidden by the filter', 1)).toBe('disputed');
  expect(stepTo(chooseFindings([], all), 'any', 1)).toBeNull();
});
