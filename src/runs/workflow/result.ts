/** Writes `result.json` and the last record of a workflow: "not finished" from the first moment, then the outcome. */
import type { EventBody } from '../../events/collab-event.ts';
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
import { writeReports } from '../folder/report-files.ts';
import { exchangeFacts, writeResult } from '../review/result.ts';
import { knownReport } from '../review/known-findings.ts';
import { timestampOf } from '../../text/timestamp.ts';
import type { WorkflowDrive, WorkflowEnding } from './types.ts';
import { decideWorkflow } from './outcome.ts';

/** The parts of a drive that the result needs; a run without a drive has no open agents. */
export type ResultOfWorkflow = Pick<WorkflowDrive, 'input' | 'runFolder' | 'runId' | 'clock' | 'met'>;

/** Returns the last record of the run; null if a later drive may end it differently. */
export function endedEvent(
  drive: ResultOfWorkflow,
  { output, final, cancelled }: WorkflowEnding,
): Extract<EventBody, { type: 'run.ended' }> | null {
  if (!final) return null;
  const { outcome, reasons } = decideWorkflow(drive, output);
  const { failure } = output.end;
  return {
    type: 'run.ended',
    status: cancelled ? 'cancelled' : outcome === 'failed' ? 'error' : 'success',
    outcome,
    reasons: reasons.map(renderReason),
    result: output.end.detail,
    errors: failure === null ? [] : [failure.detail],
    duration_ms: Math.max(0, Math.round(drive.clock.now() - Date.parse(drive.input.started_at))),
    turns: output.leadTurns.length + exchangesOf(output).reduce((sum, { turns }) => sum + turns.length, 0),
  };
}

export async function writeUnfinishedWorkflow(
  drive: ResultOfWorkflow,
  state: 'running' | 'waiting' | 'interrupted',
): Promise<void> {
  await write(drive, unfinished(drive, state));
}

export async function writeWorkflowEnding(
  drive: ResultOfWorkflow & Pick<WorkflowDrive, 'recorded' | 'reviewed'>,
  { output }: WorkflowEnding,
): Promise<ReviewResult> {
  const { outcome, exitCode, reasons, assurance, coverage, review } = decideWorkflow(drive, output);
  const usageBy = usageByAgent(drive.recorded.all());
  const result: ReviewResult = {
    ...unfinished(drive, 'running'),
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
      ended: { code: output.end.code, detail: output.end.detail },
      phases: output.phases.map((phase) => ({ ...phase })),
      applied: output.applied.kind,
      settled: output.settled.map((phase) => ({ ...phase })),
      without_advice: [...output.withoutAdvice],
    },
  };
  await write(drive, result);
  return result;
}

/** Writes the result of a run that was cancelled while no process drove it: its journal is closed. */
export async function writeCancelledWorkflow(drive: Omit<ResultOfWorkflow, 'met'>): Promise<void> {
  const without = { ...drive, met: { advisor: null, lead: null } };
  const text = 'the run was cancelled';
  const result = unfinished(without, 'interrupted');
  await write(without, {
    ...result,
    state: 'ended',
    outcome: 'incomplete',
    reasons: [renderReason({ code: 'cancelled', text })],
    ended_at: timestampOf(drive.clock),
    exit_code: 3,
    workflow: { ...workflowFacts(without), ended: { code: 'cancelled', detail: text } },
  });
}

function unfinished(drive: ResultOfWorkflow, state: 'running' | 'waiting' | 'interrupted'): ReviewResult {
  const { input, met } = drive;
  const edits = readEdits(drive.runFolder);
  const commits = edits?.branch === null ? null : edits;
  return {
    ...unfinishedResult({
      state,
      run_id: drive.runId,
      started_at: input.started_at,
      input: {
        kind: 'workflow',
        base: commits?.base.commit ?? null,
        head: commits?.head.commit ?? null,
        digest: sha256(input.task),
      },
      advisor: { provider: input.advisor.provider, ...modelOf(met.advisor, input.advisor.model) },
      lead: { provider: input.lead.provider, ...modelOf(met.lead, input.lead.model) },
      fail_on: input.settings.fail_on,
    }),
    workflow: workflowFacts(drive),
  };
}

function modelOf(met: WorkflowDrive['met']['lead'], asked: string | null) {
  return { model: met?.model ?? asked, version: met?.version ?? null };
}

function workflowFacts({ input, runFolder }: ResultOfWorkflow): NonNullable<ReviewResult['workflow']> {
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

async function write({ runFolder, input }: ResultOfWorkflow, result: ReviewResult): Promise<void> {
  writeResult(runFolder, result);
  await writeReports(input.reports, result);
}
