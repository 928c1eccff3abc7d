import { expect, test } from 'vitest';
import { defaultBudgets } from '../../config/repair-budgets.ts';
import type { Finding } from '../../events/collab-event.ts';
import { applyJudgements, planSecondOpinion } from './second-opinion.ts';

function finding(id: string, facts: Partial<Finding> = {}): Finding {
  return {
    id,
    identity: id,
    severity: 'critical',
    title: 'A secret is written into the source',
    body: '',
    path: 'a.ts',
    start_line: 1,
    end_line: 1,
    side: 'new',
    placement: 'exact',
    quote: 'x',
    verdict: 'unverified',
    ...facts,
  };
}

function rejected(id: string) {
  return { id, verdict: 'rejected', evidence: 'It is a fixture.' } as const;
}

const secret = finding('F1', { source: 'rule:hardcoded-secret', rejectable: false });
const other = finding('F2', { source: 'rule:eval' });

test('the lead is not asked about findings that no model may reject', () => {
  const plan = { path: 'review', budgets: defaultBudgets, language: null, files: [] };
  const findings = [secret, other];
  const asked = (way: Parameters<typeof planSecondOpinion>[0]['way']) =>
    planSecondOpinion({ ...plan, way, findings }).map((asking) =>
      asking.findings.map((one) => one.finding.id),
    );
  expect(asked({ kind: 'each', reads: 'copy' })).toEqual([['F2']]);
  expect(asked({ kind: 'together' })).toEqual([['F2']]);
});

test('a rejection of a finding that no model may reject changes nothing', () => {
  const judged = applyJudgements(
    [secret, other],
    [{ name: 'verify', judgements: [rejected('F1'), rejected('F2')], missing: null, turns: [] }],
  );
  expect(judged).toEqual([secret, { ...other, verdict: 'rejected', evidence: 'It is a fixture.' }]);
});
