import { expect, test } from 'vitest';
import { announcesNoIssue, readSeverityHeading, readSeverityPrefix } from './issue-severity.ts';

test.each([
  ['Critical', 'critical'],
  ['🔴 Critical (Must Fix Before Merge)', 'critical'],
  ['🟡 Important', 'important'],
  ['🟢 Minor (Nice to Have)', 'minor'],
  ['1. Critical Issues', 'critical'],
  ['**Critical**:', 'critical'],
  ['[Minor]', 'minor'],
  ['Important — should fix', 'important'],
  ['CRITICAL SEVERITY', 'critical'],
  ['Minor Issues (2):', 'minor'],
  ['重大', 'critical'],
  ['🔴 致命的な問題', 'critical'],
  ['重要（要修正）', 'important'],
  ['軽微な指摘事項', 'minor'],
  ['High', null],
  ['P1', null],
  ['Nits', null],
  ['Medium Priority', null],
])('X001-3.1 %j heads the grade %s', (text, severity) => {
  expect(readSeverityHeading(text)).toEqual({ severity, rest: '' });
});

test.each([
  'Critical section is locked twice',
  'Important: the cache leaks',
  'Importantly',
  'Criticality',
  'Security',
  '重要度',
  'Highlights',
  `Critical (${'x'.repeat(400)})`,
])('X001-3.1 %j heads no grade', (text) => {
  expect(readSeverityHeading(text)).toBeNull();
});

test.each([
  ['**Critical**: leak', 'critical', 'leak'],
  ['**Critical:** leak', 'critical', 'leak'],
  ['[Critical] leak', 'critical', 'leak'],
  ['【重要】漏れ', 'important', '漏れ'],
  ['🔴 Critical — leak', 'critical', 'leak'],
  ['Minor - odd name', 'minor', 'odd name'],
  ['(Minor) odd name', 'minor', 'odd name'],
  ['**[Minor] Odd name** — `a.ts:1`', 'minor', '**Odd name** — `a.ts:1`'],
  ['**Minor: Odd name** in a.ts', 'minor', '**Odd name** in a.ts'],
  ['Critical (security): leak', 'critical', 'leak'],
  ['[High] leak', null, 'leak'],
  ['Critical:', 'critical', ''],
])('X001-3.2,3 %j is graded %s', (text, severity, rest) => {
  expect(readSeverityPrefix(text)).toEqual({ severity, rest });
});

test.each([
  'Critical section is locked',
  'Minor-version bump breaks',
  'Critical',
  'important things',
  'leak',
])('X001-3.2,3 %j is not graded', (text) => {
  expect(readSeverityPrefix(text)).toBeNull();
});

test('X001-3.6 a heading may announce that it has no issue', () => {
  expect(
    ['Critical (0)', 'Critical [none]', '重大（なし）', 'Critical (10)', 'Critical'].map(announcesNoIssue),
  ).toEqual([true, true, true, false, false]);
});
