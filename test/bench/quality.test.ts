/** Checks the shipped changes with known faults, and the figures of saved results. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { precisionBySource } from '../../bench/quality/scores/by-source.ts';
import { matchFaults } from '../../bench/quality/scores/match-faults.ts';
import type { SavedReview } from '../../bench/quality/scores/saved-results.ts';
import { scoreReview, scoreRun } from '../../bench/quality/scores/score-run.ts';
import { spreadOf } from '../../bench/quality/scores/spread.ts';
import { stabilityOf } from '../../bench/quality/scores/stability.ts';
import type { KnownFault } from '../../bench/quality/sets/benchmark-set.ts';
import { loadSet } from '../../bench/quality/sets/load-set.ts';
import { findingSchema, type Finding } from '../../src/events/collab-event.ts';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import { changedLinesOf, countLines, linesOf, subtractRanges } from '../../src/parsers/diff/ranges.ts';

const folder = join(import.meta.dirname, '../../bench/quality/changes');
const { changes } = loadSet(folder);

test('there are twenty changes, in several languages, some of them without a fault', () => {
  expect(changes).toHaveLength(20);
  expect(changes.filter(({ faults }) => faults.length === 0).length).toBeGreaterThanOrEqual(3);
  const paths = changes.flatMap(({ faults }) => faults.map(({ path }) => path?.split('.').at(-1)));
  expect(new Set(paths).size).toBeGreaterThanOrEqual(8);
});

test.each(changes)('$name: every line of a fault exists, and at least one is new', ({ name, faults }) => {
  const { files } = parseUnifiedDiff(readFileSync(join(folder, `${name}.diff`), 'utf8'));
  const added = changedLinesOf(files).filter(({ side }) => side === 'new');
  for (const { path, start_line: start, end_line: end } of faults) {
    const claimed = [{ path: path ?? '', side: 'new', start: start ?? 0, end: end ?? 0 }] as const;
    expect(countLines(claimed)).toBeGreaterThan(0);
    expect(subtractRanges(claimed, linesOf(files))).toEqual([]);
    expect(countLines(subtractRanges(claimed, added))).toBeLessThan(countLines(claimed));
  }
});

const fault: KnownFault = {
  id: '1',
  text: 'the lock stays held',
  path: 'cache.go',
  start_line: 14,
  end_line: 16,
  side: 'new',
  severity: ['critical'],
  words: ['lock'],
};

describe('a finding', () => {
  test('at the fault and about it counts in all respects', () => {
    expect(counts(finding({}))).toEqual({ lines: 1, meaning: 1, both: 1 });
  });

  test('within three lines is at its place; beyond, in another file and on the old side it is not', () => {
    expect(counts(finding({ start_line: 19, end_line: 20 }))).toMatchObject({ lines: 1, both: 1 });
    for (const other of [
      finding({ start_line: 20, end_line: 20 }),
      finding({ path: 'other.go' }),
      finding({ side: 'old' }),
      finding({ start_line: null, end_line: null }),
    ])
      expect(counts(other)).toEqual({ lines: 0, meaning: 1, both: 0 });
  });

  test('at the fault but about something else counts by line alone', () => {
    expect(counts(finding({ title: 'a name' }))).toEqual({ lines: 1, meaning: 0, both: 0 });
  });

  test('is matched by its meaning alone if the set has no lines', () => {
    const placeless = { ...fault, path: null, start_line: null, end_line: null };
    const { byLine, byBoth } = matchFaults([placeless], [finding({})], () => new Set(['1']));
    expect([byLine.pairs.length, byBoth?.pairs.length]).toEqual([0, 1]);
  });

  test('that nobody judged leaves the meaning open', () => {
    const { byLine, byMeaning, byBoth } = matchFaults([fault], [finding({})], () => null);
    expect([byLine.pairs.length, byMeaning, byBoth]).toEqual([1, null, null]);
  });
});

test('as many faults as possible are matched, each with its own finding; a second finding still fits', () => {
  const second = { ...fault, id: '2', start_line: 18, end_line: 18 };
  const [near, far] = [finding({ start_line: 16 }), finding({ start_line: 21, end_line: 21 })];
  const { byLine } = matchFaults([fault, second], [near, far], () => new Set());
  const lines = new Map(byLine.pairs.map((pair) => [pair.fault.id, pair.finding.start_line]));
  expect(lines).toEqual(
    new Map([
      ['1', 16],
      ['2', 21],
    ]),
  );
  const one = matchFaults([fault], [near, finding({})], () => new Set());
  expect([one.byLine.pairs.length, one.byLine.fitting.length]).toEqual([1, 2]);
});

test('a run: rejected findings do not count, an unfinished review is not quiet', () => {
  const wrong = finding({ start_line: 40, end_line: 40, severity: 'minor' });
  const rejected = finding({ verdict: 'rejected' });
  expect(
    scoreRun([
      scored([finding({ severity: 'minor' }), wrong, rejected], [fault, { ...fault, id: '2' }]),
      scored([], []),
      scored([], [], { outcome: 'incomplete' }),
    ]),
  ).toEqual({
    recall: 0.5,
    precision: 0.5,
    f1: 0.5,
    lineRecall: 0.5,
    linePrecision: 0.5,
    meaningRecall: 1,
    meaningPrecision: 1,
    exactLines: 1,
    severity: 0,
    quiet: 0.5,
  });
  expect(scoreRun([scored([], [])])).toMatchObject({ recall: null, precision: null, f1: null, quiet: 1 });
});

test('a figure has its mean, its ends and its deviation; one run has no deviation', () => {
  expect(spreadOf([0.5, 0.7, 0.6])).toEqual({
    mean: expect.closeTo(0.6),
    least: 0.5,
    most: 0.7,
    deviation: expect.closeTo(0.1),
  });
  expect(spreadOf([0.5])).toMatchObject({ deviation: null });
  expect(spreadOf([0.5, null])).toBeNull();
});

test('stability counts the findings that recur: by claim and anchor, and by place alone', () => {
  const other = finding({ identity: 'other', title: 'A name is unclear', quote: 'x := 1' });
  expect(stabilityOf([[[finding({})], [finding({})]]])).toEqual({ sameFinding: 1, samePlace: 1 });
  expect(stabilityOf([[[finding({})], [other]]])).toEqual({ sameFinding: 0, samePlace: 1 });
  expect(stabilityOf([[[finding({})], []]])).toEqual({ sameFinding: 0, samePlace: 0 });
  expect(stabilityOf([[[], []]])).toEqual({ sameFinding: null, samePlace: null });
});

test('precision is counted by rule, by lens and for the model', () => {
  const far = { start_line: 90, end_line: 90 };
  const review = scored(
    [
      finding({ source: 'rule:lock' }),
      finding({ source: 'rule:lock', ...far }),
      finding({ found_by: ['data', 'security'] }),
      finding(far),
    ],
    [fault],
  );
  expect(precisionBySource([review])).toEqual([
    { source: 'lens:data', findings: 1, fitting: 1 },
    { source: 'lens:security', findings: 1, fitting: 1 },
    { source: 'model', findings: 1, fitting: 0 },
    { source: 'rule:lock', findings: 2, fitting: 1 },
  ]);
});

function counts(present: Finding) {
  const isSame = present.title.includes('Lock');
  const matches = matchFaults([fault], [present], () => new Set(isSame ? ['1'] : []));
  return {
    lines: matches.byLine.pairs.length,
    meaning: matches.byMeaning?.pairs.length,
    both: matches.byBoth?.pairs.length,
  };
}

function scored(
  findings: readonly Finding[],
  faults: readonly KnownFault[],
  more: Partial<SavedReview> = {},
) {
  const review = {
    change: 'a',
    run: 1,
    outcome: 'findings',
    tokens: 10,
    cost_usd: 0.5,
    findings: [...findings],
    ...more,
  };
  return scoreReview(review, { faults }, () => new Set(faults.map(({ id }) => id)));
}

function finding(more: Partial<Finding>): Finding {
  return findingSchema.parse({
    id: 'F1',
    identity: 'i',
    severity: 'critical',
    title: 'The Lock is never released',
    body: '',
    path: 'cache.go',
    start_line: 15,
    end_line: 16,
    side: 'new',
    placement: 'exact',
    quote: 'return nil, false',
    verdict: 'unverified',
    ...more,
  });
}
