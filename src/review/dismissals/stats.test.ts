import { expect, test } from 'vitest';
import { finding } from '../findings/findings.test-helper.ts';
import { dismissalOf } from './dismissal.ts';
import { countFates } from './stats.ts';

const identityOf = (digit: string): string => digit.repeat(64);
const of = (digit: string, changes: Parameters<typeof finding>[0] = {}) =>
  finding({ severity: 'minor', identity: identityOf(digit), ...changes });
const dismissal = (digit: string) =>
  dismissalOf({ finding: of(digit), at: '2026-11-23T09:30:05.000Z', run_id: 'r', reason: 'r' });

test('a finding of several reviews counts once, with the newest verdict', () => {
  const stats = countFates(
    [[of('a', { verdict: 'rejected' })], [of('a'), of('b', { verdict: 'confirmed' })]],
    [],
  );
  expect(stats).toMatchObject({ reported: 2, confirmed: 1, rejected: 1, dismissed: 0, precision: 0.5 });
});

test('dismissed, suppressed and rejected findings lower the precision, each once', () => {
  const suppressed = { reason: 'r', expires: null, expired: false };
  const findings = [
    of('a', { verdict: 'rejected' }),
    of('b', { suppressed }),
    of('c', { suppressed: { ...suppressed, expired: true } }),
    of('d'),
    of('e'),
  ];
  expect(countFates([findings], [dismissal('a'), dismissal('d')])).toMatchObject({
    reported: 5,
    rejected: 1,
    dismissed: 3,
    precision: 0.4,
    dismissed_elsewhere: 0,
  });
});

test('a dismissal of a finding that no review here has changes no precision', () => {
  expect(countFates([[of('a')]], [dismissal('b')])).toMatchObject({
    reported: 1,
    dismissed: 0,
    precision: 1,
    dismissed_elsewhere: 1,
  });
  expect(countFates([], [dismissal('b')])).toMatchObject({ reported: 0, precision: null, by_rule: [] });
});

test('rules, classes and folders have counts of their own, the worst first', () => {
  const findings = [
    of('a', { source: 'rule:eval', claim: 'security', path: 'src/a.ts' }),
    of('b', { source: 'rule:eval', path: 'src/b.ts' }),
    of('c', { claim: 'security', path: 'top.ts' }),
    of('d', { path: null }),
  ];
  const stats = countFates([findings], [dismissal('c')]);
  const named = (rows: typeof stats.by_rule) =>
    rows.map(({ name, reported, precision }) => [name, reported, precision]);
  expect(named(stats.by_rule)).toEqual([
    ['no rule', 2, 0.5],
    ['eval', 2, 1],
  ]);
  expect(named(stats.by_claim)).toEqual([
    ['security', 2, 0.5],
    ['no class', 2, 1],
  ]);
  expect(named(stats.by_path)).toEqual([
    ['.', 1, 0],
    ['src', 2, 1],
    ['no path', 1, 1],
  ]);
});
