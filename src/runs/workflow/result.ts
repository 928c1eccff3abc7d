/** The result of a workflow: "not finished" from the first moment, then its outcome. */
import type { WorkflowOutput } from '../../machine/workflow/workflow-types.ts';
import {
  coverageForResult,
  noCoverage,
  unfinishedResult,
  type ReviewResult,
} from '../../review/outcome/result.ts';
import { renderReason } from '../../review/outcome/reasons.ts';
import { spendingOf, usageByAgent } from '../../review/outcome/usage.ts';
import { coveredInAnswers } from '../review/covered-secrets.ts';
import { sha256 } from '../../text/digest.ts';
import { readEdits } from './edits.ts';
import type { KnownRun, LastRecord, UnfinishedState } from '../run-kind.ts';
import { cancelledResult, exchangeFacts, deadResult } from '../review/result.ts';
import { knownReport } from '../review/known-findings.ts';
import { timestampOf } from '../../text/timestamp.ts';
import { withLeftFindings } from './left-findings.ts';
import type { WorkflowDrive, WorkflowEnding, WorkInput } from './types.ts';
import { decideWorkflow } from './outcome.ts';

export type KnownWorkflow = Pick<KnownRun<WorkInput>, 'input' | 'runFolder' | 'runId' | 'clock' | 'met'>;

export function lastWorkflowRecord(
  drive: KnownWorkflow,
  { output: made, cancelled }: WorkflowEnding,
): LastRecord {
  const output = withLeftFindings(made, drive.input);
  const { outcome, reasons } = decideWorkflow(drive, output);
  const { failure } = output.end;
  return {
    status: cancelled ? 'cancelled' : outcome === 'failed' ? 'error' : 'success',
    outcome,
    reasons: reasons.map(renderReason),
    result: output.end.detail,
    errors: failure === null ? [] : [failure.detail],
    turns: output.leadTurns.length + exchangesOf(output).reduce((sum, { turns }) => sum + turns.length, 0),
  };
}

export function endedWorkflow(drive: WorkflowDrive, { output: made }: WorkflowEnding): ReviewResult {
  const output = withLeftFindings(made, drive.input);
  const { outcome, exitCode, reasons, assurance, coverage, review } = decideWorkflow(drive, output);
  const usageBy = usageByAgent(drive.recorded.all());
  return {
    ...unfinishedWorkflow(drive, 'running'),
    state: 'ended',
    outcome,
    reasons: reasons.map(renderReason),
    assurance,
    ended_at: timestampOf(drive.clock),
    coverage: coverage === null ? noCoverage : coverageForResult(coverage),
    strengths: [...(review?.merged.strengths ?? [])],
    findings: [...(review?.merged.findings ?? [])],
    suggestions: [...(review?.merged.suggestions ?? [])],
    ...knownReport(drive.input, review?.merged.findings ?? [], { files: coverage?.files ?? [] }),
    exchanges: exchangesOf(output).map(exchangeFacts),
    ...spendingOf(usageBy),
    usage_by: [...usageBy],
    covered_secrets: [
      ...(drive.reviewed.change?.secrets.covered ?? []),
      ...coveredInAnswers(exchangesOf(output)),
    ],
    exit_code: exitCode,
    workflow: {
      ...workflowFacts(drive),
      ...(output.applied.kind === 'applied' || output.end.code === 'cancelled' ? { branch: null } : {}),
      ended: { code: output.end.code, detail: output.end.detail },
      phases: output.phases.map((phase) => ({ ...phase })),
      applied: output.applied.kind,
      settled: output.settled.map((phase) => ({ ...phase })),
      without_advice: [...output.withoutAdvice],
    },
    ...fixFacts(drive.input, output.fixes),
  };
}

export function cancelledWorkflow(run: KnownWorkflow): ReviewResult {
  const text = 'the run was cancelled';
  return {
    ...cancelledResult(unfinishedWorkflow(run, 'interrupted'), text, run),
    workflow: { ...workflowFacts(run), branch: null, ended: { code: 'cancelled', detail: text } },
  };
}

export function failedWorkflow(run: KnownWorkflow, message: string): ReviewResult {
  return deadResult(unfinishedWorkflow(run, 'interrupted'), message, run);
}

export function unfinishedWorkflow(drive: KnownWorkflow, state: UnfinishedState): ReviewResult {
  const { input, met } = drive;
  const edits = readEdits(drive.runFolder);
  const commits = edits?.branch === null ? null : edits;
  return {
    ...unfinishedResult({
      state,
      run_id: drive.runId,
      started_at: input.started_at,
      input: {
        kind: input.kind,
        base: commits?.base.commit ?? null,
        head: commits?.head.commit ?? null,
        digest: sha256(input.task),
      },
      advisor: { provider: input.advisor.provider, ...modelOf(met.advisor, input.advisor.model) },
      lead: { provider: input.lead.provider, ...modelOf(met.lead, input.lead.model) },
      fail_on: input.settings.fail_on,
    }),
    workflow: workflowFacts(drive),
    ...fixFacts(input, []),
  };
}

function fixFacts(input: WorkInput, findings: WorkflowOutput['fixes']): Pick<ReviewResult, 'fix'> {
  if (input.kind !== 'fix') return {};
  return { fix: { run: input.fix.run, findings: findings.map((finding) => ({ ...finding })) } };
}

function modelOf(met: WorkflowDrive['met']['lead'], asked: string | null) {
  return { model: met?.model ?? asked, version: met?.version ?? null };
}

function workflowFacts({ input, runFolder }: KnownWorkflow): NonNullable<ReviewResult['workflow']> {
  return {
    task: input.task,
    ended: null,
    phases: [],
    branch: readEdits(runFolder)?.branch ?? null,
    applied: 'left',
    without_advice: [],
  };
}

/** Returns consults and the exchanges of all reviews, in the order of the phases' rounds. */
function exchangesOf({ exchanges, reviews }: WorkflowOutput) {
  return [...exchanges, ...reviews.flatMap(({ output }) => output.exchanges)];
}
