import { expect, test } from 'vitest';
import { reasonsOf, toneOf } from './outcome-tone.ts';

test.each([
  ['ended', 'clean', 'model', 'clean'],
  ['ended', 'clean', 'static', 'unproven'],
  ['ended', 'clean', 'none', 'unproven'],
  ['ended', 'nothing_reviewed', 'none', 'nothing_reviewed'],
  ['ended', null, 'none', 'unproven'],
  ['ended', 'findings', 'model', 'findings'],
  ['ended', 'incomplete', 'model', 'incomplete'],
  ['ended', 'failed', 'none', 'failed'],
  ['running', 'failed', 'none', 'unfinished'],
  ['waiting', 'failed', 'none', 'unfinished'],
  ['interrupted', 'clean', 'model', 'unfinished'],
] as const)(
  'a review that is %s, %s, with assurance %s is shown as %s',
  (state, outcome, assurance, tone) => {
    expect(toneOf({ state, outcome, assurance, coverage: { lines_reviewed: 1, lines_scanned: 0 } })).toBe(
      tone,
    );
  },
);

test('a result that version 0.1.0 called clean without reading any line is shown as a review of nothing', () => {
  const coverage = { lines_reviewed: 0, lines_scanned: 0 };
  expect(toneOf({ state: 'ended', outcome: 'clean', assurance: 'none', coverage })).toBe('nothing_reviewed');
});

test('the reasons are those of the end, without the one that repeats the assurance', () => {
  const reasons = ['findings_at_threshold: 1 finding critical', 'static_checks_only: x', 'no code'];
  expect(reasonsOf({ state: 'ended', reasons })).toEqual([
    'findings_at_threshold: 1 finding critical',
    'no code',
  ]);
  expect(reasonsOf({ state: 'running', reasons })).toEqual([]);
});
