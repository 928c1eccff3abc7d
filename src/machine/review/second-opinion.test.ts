import { expect, test } from 'vitest';
import { defaultBudgets } from '../../config/repair-budgets.ts';
import type { Finding } from '../../events/collab-event.ts';
import {
  applyJudgements,
  mostCheckedPerChunk,
  planSecondOpinion,
  tellSecondOpinion,
  type SecondOpinionWay,
} from './second-opinion.ts';

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

const plan = { path: 'review', budgets: defaultBudgets, language: null, files: [], chunks: 1 };
const byAdvisor: SecondOpinionWay = { kind: 'each', by: 'advisor', refutes: false, reads: 'copy' };

test.each<SecondOpinionWay>([
  { kind: 'each', by: 'lead', refutes: false, reads: 'copy' },
  byAdvisor,
  { kind: 'together', refutes: false },
])('$kind $by: no one is asked about findings that no model may reject', (way) => {
  const { requests } = planSecondOpinion({ ...plan, way, findings: [secret, other] });
  expect(requests.map((asking) => asking.findings.map((one) => one.finding.id))).toEqual([['F2']]);
});

test('the advisor checks the worst findings, at most so many for each chunk; the others are told', () => {
  const findings = Array.from({ length: 2 * mostCheckedPerChunk + 2 }, (_, index) =>
    finding(`F${index + 1}`),
  );
  const { requests, left } = planSecondOpinion({ ...plan, way: byAdvisor, findings, chunks: 2 });
  expect([requests.length, requests.at(-1)?.name, left]).toEqual([20, 'verify-F20', ['F21', 'F22']]);
  const detail = expect.stringContaining('at most 10 findings for each chunk');
  expect(tellSecondOpinion(byAdvisor, [], left)).toMatchObject({
    by: 'advisor',
    missing: [{ ids: ['F21', 'F22'], failure: { detail } }],
  });
});

test('a lead checks as many findings as there are', () => {
  const findings = Array.from({ length: 12 }, (_, index) => finding(`F${index + 1}`));
  const way = { ...byAdvisor, by: 'lead' } as const;
  expect(planSecondOpinion({ ...plan, way, findings })).toMatchObject({ requests: { length: 12 }, left: [] });
});

test.each(['copy', 'nothing'] as const)(
  'each check of a finding reads the %s that its way names',
  (reads) => {
    const { requests } = planSecondOpinion({ ...plan, way: { ...byAdvisor, reads }, findings: [other] });
    expect(requests).toMatchObject([{ name: 'verify-F2', path: 'review/verify-F2', by: 'advisor', reads }]);
  },
);

test('one check of all findings is made by the lead, in its own tree', () => {
  const { requests } = planSecondOpinion({
    ...plan,
    way: { kind: 'together', refutes: true },
    findings: [other],
  });
  expect(requests).toMatchObject([{ name: 'verify', by: 'lead', reads: 'own_tree', refutes: true }]);
});

test('a finding names the advisor as its judge, and no one if the lead judged', () => {
  const judges = (['lead', 'advisor'] as const).map((by) => {
    const verified = { name: 'verify', by, judgements: [rejected('F2')], missing: null, turns: [] };
    return applyJudgements([other], [verified])[0]?.judged_by;
  });
  expect(judges).toEqual([undefined, 'advisor']);
});

test('a rejection of a finding that no model may reject changes nothing', () => {
  const judged = applyJudgements(
    [secret, other],
    [
      {
        name: 'verify',
        by: 'lead',
        judgements: [rejected('F1'), rejected('F2')],
        missing: null,
        turns: [],
      },
    ],
  );
  expect(judged).toEqual([secret, { ...other, verdict: 'rejected', evidence: 'It is a fixture.' }]);
});
