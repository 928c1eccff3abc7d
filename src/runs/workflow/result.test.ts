import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { WorkflowOutput } from '../../machine/workflow/workflow-types.ts';
import { exchangeOutput, reviewRound } from '../../machine/workflow/workflow.test-helper.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { sha256 } from '../../text/digest.ts';
import { fixInput, workflowInput } from '../folder/saved-runs.test-helper.ts';
import { undriven } from '../run-kind.ts';
import { recordEdits } from './edits.ts';
import {
  cancelledWorkflow,
  endedWorkflow,
  failedWorkflow,
  lastWorkflowRecord,
  unfinishedWorkflow,
} from './result.ts';
import type { WorkflowDrive, WorkInput } from './types.ts';

const turn = { promptBytes: 1, answerBytes: 2, durationMs: 3, usage: null };
const record = {
  ...turn,
  attempt: 1,
  rejected: null,
  promptDigest: 'p',
  answerDigest: 'a',
  shown: [],
  covered: ['github_token'],
};

function run(input: WorkInput = workflowInput(), branch: string | null = 'collab/r1') {
  const runFolder = scratchFolder();
  const [base, head] = ['c0', 'c1'].map((commit) => ({ commit, tree: `tree of ${commit}` }));
  if (base === undefined || head === undefined) throw new Error('no commits');
  recordEdits({ runId: 'r1', path: runFolder }, { root: '/shop', branch, base, head });
  return undriven<WorkInput>({ input, runFolder, runId: 'r1', clock: createManualClock() });
}

function driven(input: WorkInput = workflowInput()): WorkflowDrive {
  const drive = { ...run(input), reviewed: { change: null } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that a result has
  return drive as unknown as WorkflowDrive;
}

function outputOf(changes: Partial<WorkflowOutput> = {}): WorkflowOutput {
  return {
    end: { code: 'done', detail: 'the phases are done', failure: null },
    phases: [{ phase: 'design', round: 1, result: 'settled' }],
    settled: [{ phase: 'design', text: 'A map.' }],
    exchanges: [exchangeOutput({ turns: [record] })],
    reviews: [
      reviewRound(1, [finding({ id: 'F9' })]),
      reviewRound(2, [finding()], [exchangeOutput({ name: 'chunk-1', turns: [record, record] })]),
    ],
    leadTurns: [{ ...turn, phase: 'design', round: 1 }],
    withoutAdvice: ['design-1'],
    committed: null,
    fixes: [],
    applied: { kind: 'left' },
    ...changes,
  };
}

const ending = (changes: Partial<WorkflowOutput> = {}, cancelled = false) => ({
  output: outputOf(changes),
  cancelled,
  final: true,
});

describe('a run that has not ended', () => {
  test('names its task, its commits, its branch and its agents', () => {
    expect(unfinishedWorkflow(run(), 'waiting')).toMatchObject({
      run_id: 'r1',
      state: 'waiting',
      outcome: 'failed',
      input: { kind: 'workflow', base: 'c0', head: 'c1', digest: sha256(workflowInput().task) },
      advisor: { provider: 'codex', model: 'gpt-5-codex', version: null },
      lead: { provider: 'claude_code', model: null, version: null },
      workflow: { task: 'Round once.\nAfter tax.', ended: null, branch: 'collab/r1', applied: 'left' },
    });
    expect(unfinishedWorkflow(run(), 'running')).not.toHaveProperty('fix');
  });

  test('names no commit outside of git, and the agents that it met', () => {
    const met = { lead: { model: 'opus', version: '2' }, advisor: { model: 'gpt-6', version: '1' } };
    expect(unfinishedWorkflow({ ...run(workflowInput(), null), met }, 'running')).toMatchObject({
      input: { base: null, head: null },
      advisor: { model: 'gpt-6', version: '1' },
      lead: { model: 'opus', version: '2' },
      workflow: { branch: null },
    });
  });

  test('and fixes names the run of its findings', () => {
    const input = fixInput({ run: 'r0', findings: [finding()] });
    expect(unfinishedWorkflow(run(input), 'running')).toMatchObject({
      input: { kind: 'fix' },
      fix: { run: 'r0', findings: [] },
    });
  });
});

describe('a run that has ended', () => {
  test('has the findings of its last review, all exchanges, and what was settled', () => {
    const result = endedWorkflow(driven(), ending());
    expect(result).toMatchObject({
      state: 'ended',
      outcome: 'findings',
      exit_code: 1,
      findings: [{ id: 'F1' }],
      ended_at: expect.any(String),
      workflow: {
        branch: 'collab/r1',
        ended: { code: 'done', detail: 'the phases are done' },
        phases: [{ phase: 'design', round: 1, result: 'settled' }],
        settled: [{ phase: 'design', text: 'A map.' }],
        applied: 'left',
        without_advice: ['design-1'],
      },
    });
    expect(result.exchanges.map(({ id, attempts }) => [id, attempts.length])).toEqual([
      ['ex_design-1-consult-1', 1],
      ['ex_design-1-consult-1', 0],
      ['ex_chunk-1', 2],
    ]);
    expect(result.covered_secrets?.map(({ in: where, exchange }) => [where, exchange])).toEqual([
      ['answer', 'design-1-consult-1'],
      ['answer', 'chunk-1'],
      ['answer', 'chunk-1'],
    ]);
  });

  test('without a review has no findings and no coverage', () => {
    expect(endedWorkflow(driven(), ending({ reviews: [], withoutAdvice: [] }))).toMatchObject({
      outcome: null,
      exit_code: 0,
      findings: [],
      strengths: [],
      suggestions: [],
      coverage: { files_changed: 0, files: [] },
    });
  });

  test('has no branch if its edits were applied or it was canceled', () => {
    const end = { code: 'cancelled', detail: 'the run was cancelled', failure: null } as const;
    for (const changes of [{ applied: { kind: 'applied', paths: [] } }, { end }] as const)
      expect(endedWorkflow(driven(), ending(changes)).workflow?.branch).toBeNull();
  });

  test('and fixes has the fates, and the findings that are left', () => {
    const left = finding({ id: 'F4', title: 'left' });
    const fate = { id: 'F4', identity: 'i', severity: 'critical', title: 'left', path: null } as const;
    const fixes = [{ ...fate, start_line: null, fate: 'unanswered', reason: null, now: null }] as const;
    const input = fixInput({ run: 'r0', findings: [left] });
    const result = endedWorkflow(driven(input), ending({ fixes }));
    expect(result.fix).toEqual({ run: 'r0', findings: fixes });
    expect(result.findings.map(({ id, title }) => [id, title])).toEqual([
      ['F1', 'title'],
      ['F2', 'left'],
    ]);
  });
});

describe('the last record', () => {
  test('has the outcome, the end and the number of all turns', () => {
    expect(lastWorkflowRecord(run(), ending())).toMatchObject({
      status: 'success',
      outcome: 'findings',
      reasons: [
        expect.stringMatching(/^without_advice: /),
        expect.stringMatching(/^findings_at_threshold: /),
      ],
      result: 'the phases are done',
      errors: [],
      turns: 4,
    });
  });

  test('of a failed run has the error, and of a canceled one is no error', () => {
    const failure = { by: 'lead', cause: 'auth', detail: 'is logged out', hint: null } as const;
    const end = { code: 'lead_failed', detail: 'it gave up', failure } as const;
    const nothing = { end, exchanges: [], reviews: [] };
    expect(lastWorkflowRecord(run(), ending(nothing))).toMatchObject({
      status: 'error',
      outcome: 'failed',
      errors: ['is logged out'],
    });
    expect(lastWorkflowRecord(run(), ending(nothing, true))).toMatchObject({ status: 'cancelled' });
  });
});

test('a run that is canceled while no process drives it has no branch; one that cannot continue says why', () => {
  expect(cancelledWorkflow(run())).toMatchObject({
    state: 'ended',
    outcome: 'incomplete',
    reasons: ['cancelled: the run was cancelled'],
    exit_code: 3,
    workflow: { branch: null, ended: { code: 'cancelled', detail: 'the run was cancelled' } },
  });
  expect(failedWorkflow(run(), 'it died')).toMatchObject({
    state: 'ended',
    outcome: 'failed',
    reasons: ['it died'],
    exit_code: 4,
    workflow: { branch: 'collab/r1', ended: null },
  });
});
