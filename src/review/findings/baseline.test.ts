import { describe, expect, test } from 'vitest';
import type { Finding } from '../../events/collab-event.ts';
import { CollabError } from '../../errors/collab-error.ts';
import {
  compareWithBaseline,
  followBaseline,
  markBaseline,
  takeBaseline,
  type Baseline,
} from './baseline.ts';
import type { CoveredFile } from '../outcome/coverage.ts';
import type { ReviewResult } from '../outcome/result.ts';
import { finding } from './findings.test-helper.ts';
import { firstIdentityOf, identityOf } from './fingerprint.ts';
import { exampleResult } from '../outcome/result.test-helper.ts';

const rounding = finding({ identity: 'rounding', path: 'a.ts', title: 'Rounded', quote: 'round(total);' });
const tax = finding({ identity: 'tax', path: 'b.ts', title: 'Tax', severity: 'minor', quote: 'tax(total);' });

function baselineOf(findings: readonly Finding[], changes: Partial<ReviewResult> = {}): Baseline {
  return takeBaseline(exampleResult({ findings: [...findings], ...changes }), 'main.json');
}

function coverage(statuses: Readonly<Record<string, CoveredFile['status']>>) {
  return {
    files: Object.entries(statuses).map(([path, status]) => ({
      path,
      status,
      reason: null,
      skippedBy: null,
      receipts: [],
    })),
  };
}

describe('an acceptable baseline', () => {
  test.each<[string, Partial<ReviewResult>]>([
    ['its review has not ended (running)', { state: 'running' }],
    ['its review has not ended (interrupted)', { state: 'interrupted', outcome: 'clean' }],
    ['its review failed: nothing was reviewed', { outcome: 'failed' }],
    ['its run had no review', { outcome: null }],
  ])('%s: refused', (why, changes) => {
    expect(() => baselineOf([], changes)).toThrow(
      expect.objectContaining({ code: 'result_file', message: `main.json is not a baseline: ${why}` }),
    );
    expect(() => baselineOf([], changes)).toThrow(CollabError);
  });

  test('an incomplete result still knows its findings', () => {
    expect(baselineOf([tax], { outcome: 'incomplete' })).toMatchObject({
      run_id: 'r-1',
      outcome: 'incomplete',
      findings: [{ identity: 'tax', rejected: false }],
    });
  });
});

test('a finding is recognized by its identity, whatever its title, severity and line are now', () => {
  const again = finding({ ...rounding, title: 'Other words', severity: 'minor', start_line: 90 });
  expect(markBaseline([again, tax], baselineOf([rounding]))).toEqual([{ ...again, baseline: true }, tax]);
});

test('a finding that is worse than in the baseline counts, with its earlier severity', () => {
  const minor = finding({ ...rounding, severity: 'minor' });
  const injection = finding({ ...rounding, severity: 'critical', title: 'SQL injection' });
  expect(markBaseline([injection], baselineOf([minor]))).toEqual([{ ...injection, known_as: 'minor' }]);
  expect(markBaseline([injection], baselineOf([minor, injection]))).toEqual([
    { ...injection, baseline: true },
  ]);
  expect(
    compareWithBaseline(baselineOf([minor]), markBaseline([injection], baselineOf([minor])), { files: [] }),
  ).toMatchObject({
    new: 1,
    still_there: 0,
    fixed: [],
    not_looked_at: [],
  });
});

test('the comparison names the run of the baseline, and of each finding what a reader needs', () => {
  const baseline = baselineOf([rounding, tax]);
  expect(compareWithBaseline(baseline, [], coverage({ 'a.ts': 'reviewed' }))).toEqual({
    run_id: baseline.run_id,
    ended_at: baseline.ended_at,
    outcome: baseline.outcome,
    new: 0,
    still_there: 0,
    fixed: [],
    not_seen_again: [{ identity: 'rounding', severity: 'critical', title: 'Rounded', path: 'a.ts' }],
    not_looked_at: [{ identity: 'tax', severity: 'minor', title: 'Tax', path: 'b.ts' }],
  });
});

test('findings that did not count in the baseline are known, too', () => {
  const former = [finding({ ...rounding, verdict: 'rejected' }), finding({ ...tax, baseline: true })];
  expect(markBaseline([rounding, tax], baselineOf(former)).map(({ baseline }) => baseline)).toEqual([
    true,
    true,
  ]);
});

function titles(items: readonly { readonly title: string }[]): readonly string[] {
  return items.map(({ title }) => title);
}

describe('the comparison', () => {
  const seen = coverage({ 'a.ts': 'reviewed', 'b.ts': 'reviewed' });
  const compare = (
    former: readonly Finding[],
    now: readonly Finding[],
    {
      covered = seen,
      changes = {},
      text = 'other();',
    }: { covered?: typeof seen; changes?: Partial<ReviewResult>; text?: string | null } = {},
  ) => {
    const baseline = followBaseline(baselineOf(former, changes), [], () => text);
    const { fixed, not_seen_again, not_looked_at, ...counts } = compareWithBaseline(
      baseline,
      markBaseline(now, baseline),
      covered,
    );
    return {
      new: counts.new,
      still: counts.still_there,
      fixed: titles(fixed),
      unseenAgain: titles(not_seen_again ?? []),
      unseen: titles(not_looked_at),
    };
  };

  test('lists new, remaining and fixed findings', () => {
    const fresh = finding({ identity: 'fresh' });
    expect(compare([rounding, tax], [rounding, fresh])).toEqual({
      new: 1,
      still: 1,
      fixed: ['Tax'],
      unseenAgain: [],
      unseen: [],
    });
  });

  test.each([
    ['whose line is in the file', 'first();\n    tax(total);\n', 'unseenAgain'],
    ['whose line is gone', 'first();\n', 'fixed'],
    ['whose file is gone', null, 'fixed'],
  ] as const)('a finding %s', (_which, text, what) => {
    const { fixed, unseenAgain } = compare([tax], [], { text });
    expect({ fixed, unseenAgain }).toEqual({ fixed: [], unseenAgain: [], [what]: ['Tax'] });
  });

  test('does not list a finding that is rejected now as new', () => {
    expect(compare([], [finding({ verdict: 'rejected' })])).toMatchObject({ new: 0, still: 0 });
  });

  test.each<[string, Parameters<typeof compare>[2], string]>([
    ['in a file that is no part of this change', { covered: coverage({ 'a.ts': 'reviewed' }) }, 'unseen'],
    ['in a file that was skipped', { covered: coverage({ 'b.ts': 'skipped' }) }, 'unseen'],
    ['in a file whose lines were not all shown', { covered: coverage({ 'b.ts': 'failed' }) }, 'unseen'],
    [
      'that a model had found, where only rules looked',
      { covered: coverage({ 'b.ts': 'scanned' }) },
      'unseen',
    ],
    [
      'that rules had found, where rules looked again',
      { covered: coverage({ 'b.ts': 'scanned' }), changes: { assurance: 'static' } },
      'fixed',
    ],
  ])('a finding that is gone %s', (_where, options, what) => {
    const both = compare([tax], [], options);
    expect([both.fixed, both.unseen]).toEqual(what === 'fixed' ? [['Tax'], []] : [[], ['Tax']]);
  });

  test('a finding without a file is never fixed, and a rejected one has nothing to fix', () => {
    const nowhere = finding({ identity: 'nowhere', title: 'Nowhere', path: null });
    const rejected = finding({ identity: 'no', verdict: 'rejected' });
    expect(compare([nowhere, rejected], [])).toMatchObject({ fixed: [], unseen: ['Nowhere'] });
  });
});

function recognized(former: Finding, present: Finding): readonly unknown[] {
  const marked = markBaseline([present], baselineOf([former]));
  return marked.map(({ baseline, identity }) => [baseline ?? false, identity === former.identity]);
}

describe('classes', () => {
  const anchor = { line: 'round(total);', symbol: null, ordinal: 1 };
  const classed = (claim?: Finding['claim'], title = 'Rounded'): Finding => {
    const key = { path: 'a.ts', anchor, title, ...(claim === undefined ? {} : { claim }) };
    return finding({ ...key, severity: 'minor', quote: 'round(total);', identity: identityOf(key) });
  };
  test('a baseline does not cover another class at the same line', () => {
    expect(recognized(classed('tests'), classed('security'))).toEqual([[false, false]]);
    expect(recognized(classed('security'), classed('security', 'now'))).toEqual([[true, true]]);
  });

  test('a baseline without classes covers its findings', () => {
    expect(recognized(classed(), classed('security', 'now'))).toEqual([[true, true]]);
    const first = { ...classed(), identity: firstIdentityOf({ ...classed(), ordinal: 1 }) };
    const { anchor: _anchor, ...ofFirstVersion } = first;
    const present = {
      ...classed('security', 'now'),
      first_identity: firstIdentityOf({ ...classed(), ordinal: 1 }),
    };
    expect(recognized(ofFirstVersion, present)).toEqual([[true, true]]);
  });
});
