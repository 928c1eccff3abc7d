import { expect, test } from 'vitest';
import type { WorkflowOutput } from '../../machine/workflow/workflow-types.ts';
import { reviewRound } from '../../machine/workflow/workflow.test-helper.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import type { JudgedFix } from '../../review/findings/judge-fixes.ts';
import { fixInput, workflowInput } from '../folder/saved-runs.test-helper.ts';
import { withLeftFindings } from './left-findings.ts';

const chosen = ['F3', 'F5', 'F7', 'F8'].map((id) => finding({ id, title: `title of ${id}` }));

function fate(id: string, changes: Partial<JudgedFix>): JudgedFix {
  const facts = {
    identity: 'identity',
    severity: 'critical',
    title: id,
    path: 'a.ts',
    start_line: 1,
  } as const;
  return { id, ...facts, fate: 'fixed', reason: null, now: null, ...changes };
}

const fixes = [
  fate('F3', { fate: 'refused', reason: 'it is right' }),
  fate('F5', { fate: 'unanswered' }),
  fate('F7', { fate: 'fixed' }),
  fate('F8', { fate: 'unanswered', now: 'F1' }),
];

const output: WorkflowOutput = {
  end: { code: 'done', detail: '', failure: null },
  phases: [],
  settled: [],
  exchanges: [],
  reviews: [reviewRound(1, []), reviewRound(2, []), reviewRound(3, [finding({ id: 'F1', title: 'new' })])],
  leadTurns: [],
  withoutAdvice: [],
  committed: null,
  fixes,
  applied: { kind: 'left' },
};

const found = ({ reviews }: WorkflowOutput) => reviews.map((round) => round.output.merged.findings);

test('refused and unanswered findings stay open, numbered after those of the last review', () => {
  const [first, second, last] = found(withLeftFindings(output, fixInput({ run: 'r', findings: chosen })));
  expect([first, second]).toEqual([[], []]);
  expect(last?.map(({ id, title, verdict, evidence }) => [id, title, verdict, evidence])).toEqual([
    ['F1', 'new', 'unverified', undefined],
    ['F2', 'title of F3', 'disputed', 'it is right'],
    ['F3', 'title of F5', 'unverified', undefined],
  ]);
});

test('a refusal without a reason and a finding that was not chosen leave nothing', () => {
  const others = [fate('F3', { fate: 'refused' }), fate('F9', { fate: 'unanswered' })];
  const input = fixInput({ run: 'r', findings: chosen });
  expect(found(withLeftFindings({ ...output, fixes: others }, input))).toEqual(found(output));
});

test('a run on a task, and a fix without a review, are left as they are', () => {
  expect(withLeftFindings(output, workflowInput())).toBe(output);
  const unreviewed = { ...output, reviews: [] };
  expect(withLeftFindings(unreviewed, fixInput({ run: 'r', findings: chosen }))).toBe(unreviewed);
});
