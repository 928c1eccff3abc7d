import { expect, test } from 'vitest';
import { report } from '../../../../test/fixtures/reports/sample-report.ts';
import type { RunDetail } from '../../../../src/client/run-types.ts';
import { fixNewsOf, type FixedFinding } from './fix-news.ts';

const judged = (id: string, fate: FixedFinding['fate'], reason: string | null = null): FixedFinding => ({
  id,
  identity: 'a'.repeat(64),
  severity: 'minor',
  title: id,
  path: null,
  start_line: null,
  fate,
  reason,
  now: null,
});

function fixOf(
  run: string,
  findings: readonly FixedFinding[],
  { review = 'r', state = 'ended' }: { readonly review?: string; readonly state?: RunDetail['state'] } = {},
) {
  return { run_id: run, state, result: report({ fix: { run: review, findings: [...findings] } }) };
}

const linkTo = (run: string) => `#${run}`;

test('the newest fix of the review decides, and those of other reviews do not count', () => {
  const { fates, active } = fixNewsOf(
    'r',
    [
      fixOf('other', [judged('F1', 'still_there')], { review: 'elsewhere' }),
      fixOf('second', [judged('F2', 'refused', 'it is right')]),
      fixOf('first', [judged('F1', 'fixed'), judged('F2', 'still_there')]),
      { run_id: 'begun', state: 'running', result: null },
    ],
    linkTo,
  );
  expect(active).toBeNull();
  expect([...fates]).toEqual([
    ['F2', { fate: 'refused', reason: 'it is right', link: '#second', applied: 'left' }],
    ['F1', { fate: 'fixed', reason: null, link: '#first', applied: 'left' }],
  ]);
});

test('a fix that has not ended is named with its state', () => {
  const news = fixNewsOf('r', [fixOf('waits', [], { state: 'waiting' }), fixOf('old', [])], linkTo);
  expect(news).toEqual({ fates: new Map(), active: { link: '#waits', state: 'waiting' } });
});
