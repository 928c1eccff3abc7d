import { expect, test } from 'vitest';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { nextStep } from './next-step.ts';

const made = { phase: 'implementation', round: 1, result: 'settled' } as const;
const workflow: NonNullable<ReviewResult['workflow']> = {
  task: 'Split a bill.',
  ended: { code: 'done', detail: 'no critical finding is left after round 1' },
  phases: [made, { phase: 'review', round: 1, result: 'no critical finding' }],
  branch: 'collab/r-20261121-7f3a',
  applied: 'left',
  without_advice: [],
};
const clean: Partial<ReviewResult> = {
  outcome: 'clean',
  exit_code: 0,
  reasons: ['no_findings: no finding counts'],
};
const next = (more: Partial<ReviewResult>): string => nextStep(report({ workflow, ...more }));

test('work that is still in its copy is brought in by apply', () => {
  expect(next(clean)).toBe('collab apply r-20261121-7f3a applies the work to your own files');
  expect(next({ exit_code: 1, outcome: 'findings', reasons: ['rounds_spent: 1 critical finding'] })).toBe(
    'collab show r-20261121-7f3a --as-prompt lists the findings left to fix; collab apply r-20261121-7f3a applies the work to your own files',
  );
});

test('applied work needs no next step; after a refusal the conflict is resolved first', () => {
  expect(next({ ...clean, workflow: { ...workflow, applied: 'applied' } })).toBe(
    'the work is in your own files now',
  );
  expect(next({ exit_code: 3, outcome: 'incomplete', workflow: { ...workflow, applied: 'refused' } })).toBe(
    'fix the obstacle, then collab apply r-20261121-7f3a',
  );
});

test('phases without an implementation have nothing to apply', () => {
  const phases = [{ phase: 'design', round: 1, result: 'settled' }] as const;
  expect(next({ ...clean, outcome: null, workflow: { ...workflow, phases: [...phases] } })).toBe(
    'transcript.md of the run has the results of the phases',
  );
});

test('a limit is raised for the task, not for a review', () => {
  expect(next({ exit_code: 3, outcome: 'incomplete', reasons: ['time_spent: over'] })).toBe(
    'collab resume r-20261121-7f3a continues, with the full time limit; or run the same task with a longer --time-limit',
  );
});

test('the next step of a run in a database is a command that finds it there', () => {
  const remote = (more: Partial<ReviewResult>): string =>
    nextStep(report({ workflow, ...more }), ' --remote');
  const id = 'r-20261121-7f3a';
  const incomplete = { exit_code: 3, outcome: 'incomplete' } as const;
  expect(remote(clean)).toBe(`collab apply ${id} --remote applies the work to your own files`);
  expect(remote({ state: 'interrupted' })).toBe(`collab wait ${id} --remote follows it`);
  expect(remote({ ...incomplete, reasons: ['time_spent: over'] })).toBe(
    'run the same task with a longer --time-limit',
  );
  expect(remote({ ...incomplete, reasons: ['agent_login: no login'] })).toBe(
    'collab doctor shows what the advisor needs, with commands',
  );
  expect(remote(incomplete)).toBe(`collab show ${id} --remote --events shows its progress, and why it ended`);
});
