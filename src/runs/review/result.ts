/** Writes `result.json` of a run: "not finished" from the first moment, then the review's outcome. */
import type { EventBody } from '../../events/collab-event.ts';
import type { ExchangeOutput } from '../../machine/exchange/exchange-types.ts';
import { coverageForResult, unfinishedResult, type ReviewResult } from '../../review/outcome/result.ts';
import type { Assurance, ExchangeReport } from '../../review/outcome/coverage.ts';
import { decideOutcome, type Decision } from '../../review/outcome/outcome.ts';
import { renderReason, tellFailure } from '../../review/outcome/reasons.ts';
import { spendingOf, usageByAgent } from '../../review/outcome/usage.ts';
import { knownReport } from './known-findings.ts';
import { timestampOf } from '../../text/timestamp.ts';
import { coveredInAnswers } from './covered-secrets.ts';
import { sha256 } from '../../text/digest.ts';
import { nobody } from '../agents/advisor-choice.ts';
import type { CollabError } from '../../errors/collab-error.ts';
import { newRunId, resultFile } from '../folder/run-folder.ts';
import { writeAtomically } from '../../system/files/write.ts';
import type { PreparedChange, ReviewOptions } from './prepare.ts';
import { opinionFacts, opinionReasons } from './opinion-result.ts';
import { writeReports } from '../folder/report-files.ts';
import { version } from '../../version.ts';
import type { RunInput } from '../folder/run-input.ts';
import type { Drive, ReviewEnding } from './actors.ts';

/** The parts of a drive that a review's result needs. */
type ResultDrive = Pick<Drive, 'input' | 'runFolder' | 'runId' | 'clock' | 'met'>;

/** The basis for deciding a review, in any kind of run. */
export interface DecidingDrive {
  readonly input: Pick<RunInput, 'advisor' | 'settings'>;
}

export function decide(drive: DecidingDrive, { output, cancelled }: ReviewEnding): Decision {
  const { advisor, settings } = drive.input;
  const decision = decideOutcome({
    failOn: settings.fail_on,
    failOnEmpty: settings.fail_on_empty,
    census: output.counted.census,
    exchanges: output.exchanges.map((exchange) => exchangeReport(exchange, advisor.assurance)),
    findings: output.merged.findings,
    advisorChosenBy: advisor.chosenBy,
    rulesFault: output.rulesFault,
    cancelled,
  });
  return { ...decision, reasons: [...decision.reasons, ...opinionReasons(output.secondOpinion)] };
}

/** The receipt names the prompt that contained the lines; the last one may have requested only a section. */
function exchangeReport(exchange: ExchangeOutput, assurance: Assurance): ExchangeReport {
  const { name, outcome, cause, detail, hint, shown, turns } = exchange;
  return {
    name,
    outcome,
    cause,
    detail: detail === null ? null : tellFailure({ detail, hint }),
    shown,
    assurance,
    promptDigest: turns.findLast((turn) => turn.shown.length > 0)?.promptDigest ?? '',
    answerDigest: turns.at(-1)?.answerDigest ?? null,
    cached: turns.at(-1)?.cached ?? null,
  };
}

/** Returns the findings and the coverage as events, in the report's order. */
export function reportEvents(drive: DecidingDrive, ending: ReviewEnding): readonly EventBody[] {
  const { coverage } = decide(drive, ending);
  return [
    ...ending.output.merged.findings.map((finding): EventBody => ({ type: 'finding.reported', finding })),
    ...coverage.files.map(({ path, status, reason, skippedBy }): EventBody => ({
      type: 'coverage',
      path,
      status,
      ...(reason === null ? {} : { reason }),
      ...(skippedBy === null ? {} : { skipped_by: skippedBy }),
    })),
  ];
}

/** Returns the last record of the run; null if a later drive may end it differently. */
export function endedEvent(
  drive: ResultDrive,
  ending: ReviewEnding,
): Extract<EventBody, { type: 'run.ended' }> | null {
  if (!ending.final) return null;
  const { outcome, reasons } = decide(drive, ending);
  const { exchanges, secondOpinion } = ending.output;
  const failures = [
    ...exchanges.flatMap(({ detail }) => (detail === null ? [] : [detail])),
    ...secondOpinion.missing.map(({ failure }) => failure.detail),
  ];
  return {
    type: 'run.ended',
    status: ending.cancelled ? 'cancelled' : outcome === 'failed' ? 'error' : 'success',
    outcome,
    reasons: reasons.map(renderReason),
    result: null,
    errors: [...new Set(failures)],
    duration_ms: Math.max(0, Math.round(drive.clock.now() - Date.parse(drive.input.started_at))),
    turns: exchanges.reduce((sum, exchange) => sum + exchange.turns.length, secondOpinion.turns.length),
  };
}

export async function writeUnfinished(
  drive: ResultDrive,
  state: 'running' | 'waiting' | 'interrupted',
): Promise<void> {
  const result = unfinished(drive, state);
  writeResult(drive.runFolder, result);
  await writeReports(drive.input.reports, result);
}

function unfinished(drive: ResultDrive, state: 'running' | 'waiting' | 'interrupted'): ReviewResult {
  return unfinishedResult({
    state,
    run_id: drive.runId,
    started_at: drive.input.started_at,
    input: inputFacts(drive),
    advisor: advisorFacts(drive),
    lead: leadFacts(drive.input),
    fail_on: drive.input.settings.fail_on,
  });
}

export async function writeEnding(
  drive: ResultDrive & Pick<Drive, 'recorded' | 'change'>,
  ending: ReviewEnding,
): Promise<ReviewResult> {
  const { output } = ending;
  const { outcome, exitCode, reasons, assurance, coverage } = decide(drive, ending);
  const usageBy = usageByAgent(drive.recorded.all());
  const result: ReviewResult = {
    schema: 'collab.review/v1',
    collab_version: version,
    run_id: drive.runId,
    state: 'ended',
    outcome,
    reasons: reasons.map(renderReason),
    assurance,
    advisor: advisorFacts(drive),
    lead: leadFacts(drive.input),
    started_at: drive.input.started_at,
    ended_at: timestampOf(drive.clock),
    input: inputFacts(drive),
    coverage: coverageForResult(coverage),
    strengths: [...output.merged.strengths],
    findings: [...output.merged.findings],
    suggestions: [...output.merged.suggestions],
    ...knownReport(drive.input, output.merged.findings, ending.cancelled ? { files: [] } : coverage),
    exchanges: output.exchanges.map(exchangeFacts),
    ...spendingOf(usageBy),
    usage_by: [...usageBy],
    covered_secrets: [...drive.change.secrets.covered, ...coveredInAnswers(output.exchanges)],
    fail_on: drive.input.settings.fail_on,
    exit_code: exitCode,
    second_opinion: opinionFacts(drive.input, output.secondOpinion),
  };
  writeResult(drive.runFolder, result);
  await writeReports(drive.input.reports, result);
  return result;
}

/** Writes the result of a run that was cancelled while no process drove it: its journal is closed. */
export async function writeCancelled(run: Omit<ResultDrive, 'met'>): Promise<void> {
  const drive = { ...run, met: { advisor: null } };
  const result: ReviewResult = {
    ...unfinished(drive, 'interrupted'),
    state: 'ended',
    outcome: 'incomplete',
    reasons: [renderReason({ code: 'cancelled', text: 'the review was cancelled' })],
    ended_at: timestampOf(run.clock),
    exit_code: 3,
  };
  writeResult(run.runFolder, result);
  await writeReports(drive.input.reports, result);
}

/** Writes the result before the run is driven, so that an earlier run's report is not read as this one's. */
export function writeNotBegun(run: Omit<ResultDrive, 'met'>): Promise<void> {
  return writeUnfinished({ ...run, met: { advisor: null } }, 'running');
}

/** Writes the report files of a review that could not start because no advisor is available; it leaves no run. */
export async function reportRefusal(refusal: {
  readonly prepared: PreparedChange;
  readonly options: ReviewOptions;
  readonly error: CollabError;
}): Promise<void> {
  const { prepared, options, error } = refusal;
  const { taken } = prepared;
  const now = timestampOf(options.clock);
  const notFinished = unfinishedResult({
    state: 'running',
    run_id: newRunId(options.clock),
    started_at: now,
    input: { kind: taken.kind, base: taken.base, head: taken.head, digest: sha256(taken.diffText) },
    advisor: null,
    lead: null,
    fail_on: options.settings.fail_on,
  });
  const code =
    error.code === 'auth' ? 'agent_login' : error.code === 'cli_missing' ? 'agent_missing' : 'agent_options';
  const reasons = [renderReason({ code, text: error.message })];
  await writeReports(options.reports, { ...notFinished, state: 'ended', reasons, ended_at: now });
}

export function writeResult(runFolder: string, result: ReviewResult): void {
  writeAtomically(resultFile(runFolder), `${JSON.stringify(result, null, 2)}\n`);
}

function inputFacts({ input: { change } }: ResultDrive): ReviewResult['input'] {
  return { kind: change.kind, base: change.base, head: change.head, digest: sha256(change.diff) };
}

/** `caller` and `user` lead without a program of their own. */
export function leadFacts({ lead }: Pick<RunInput, 'lead'>): ReviewResult['lead'] {
  return lead === null ? null : { provider: lead.provider, model: lead.model, version: null };
}

/** Returns null if no advisor was asked, because there was nothing to ask about. */
function advisorFacts({ input: { advisor }, met }: ResultDrive): ReviewResult['advisor'] {
  if (advisor.provider === nobody) return null;
  return {
    provider: advisor.provider,
    model: met.advisor?.model ?? advisor.model,
    version: met.advisor?.version ?? null,
  };
}

export function exchangeFacts(exchange: ExchangeOutput): ReviewResult['exchanges'][number] {
  const cached = exchange.turns.at(-1)?.cached;
  return {
    id: `ex_${exchange.name}`,
    tag: exchange.request.tag,
    attempts: exchange.turns.map(({ rejected, promptBytes, answerBytes, durationMs }) => ({
      ...(rejected === null ? {} : { rejected }),
      prompt_bytes: promptBytes,
      answer_bytes: answerBytes,
      duration_ms: durationMs,
    })),
    ...(cached === undefined ? {} : { cached }),
  };
}
