/** The result of a review: "not finished" from the first moment, then its outcome. */
import type { EventBody } from '../../events/collab-event.ts';
import type { ExchangeOutput } from '../../machine/exchange/exchange-types.ts';
import { coverageForResult, unfinishedResult, type ReviewResult } from '../../review/outcome/result.ts';
import type { Assurance, ExchangeReport } from '../../review/outcome/coverage.ts';
import { decideOutcome, type Decision } from '../../review/outcome/outcome.ts';
import { renderReason, tellFailure } from '../../review/outcome/reasons.ts';
import { spendingOf, usageByAgent } from '../../review/outcome/usage.ts';
import { planChunks } from '../../review/census/chunks.ts';
import { effortRange } from './effort-range.ts';
import { knownReport } from './known-findings.ts';
import { timestampOf } from '../../text/timestamp.ts';
import { coveredInAnswers } from './covered-secrets.ts';
import { sha256 } from '../../text/digest.ts';
import { nobody } from '../agents/advisor-choice.ts';
import type { CollabError } from '../../errors/collab-error.ts';
import { newRunId } from '../folder/run-folder.ts';
import type { PreparedChange, ReviewOptions } from './prepare.ts';
import { opinionFacts, opinionReasons } from './opinion-result.ts';
import { writeReports } from '../folder/report-files.ts';
import { version } from '../../version.ts';
import type { ReviewRunInput, RunInput } from '../folder/run-input.ts';
import type { KnownRun, LastRecord, UnfinishedState } from '../run-kind.ts';
import type { ReviewDrive, ReviewEnding } from './actors.ts';

type KnownReview = Pick<KnownRun<ReviewRunInput>, 'input' | 'runId' | 'met'>;

/** The basis for deciding a review, in any kind of run. */
export interface DecidingDrive {
  readonly input: Pick<RunInput, 'advisor' | 'settings'>;
}

export function decide(drive: DecidingDrive, { output, cancelled }: ReviewEnding): Decision {
  const { advisor, settings } = drive.input;
  const decision = decideOutcome({
    fail_on: settings.fail_on,
    fail_on_empty: settings.fail_on_empty,
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

export function lastReviewRecord(drive: DecidingDrive, ending: ReviewEnding): LastRecord {
  const { outcome, reasons } = decide(drive, ending);
  const { exchanges, secondOpinion } = ending.output;
  const failures = [
    ...exchanges.flatMap(({ detail }) => (detail === null ? [] : [detail])),
    ...secondOpinion.missing.map(({ failure }) => failure.detail),
  ];
  return {
    status: ending.cancelled ? 'cancelled' : outcome === 'failed' ? 'error' : 'success',
    outcome,
    reasons: reasons.map(renderReason),
    result: null,
    errors: [...new Set(failures)],
    turns: exchanges.reduce((sum, exchange) => sum + exchange.turns.length, secondOpinion.turns.length),
  };
}

export function unfinishedReview(run: KnownReview, state: UnfinishedState): ReviewResult {
  return unfinishedResult({
    state,
    run_id: run.runId,
    started_at: run.input.started_at,
    input: inputFacts(run),
    advisor: advisorFacts(run),
    lead: leadFacts(run.input),
    fail_on: run.input.settings.fail_on,
  });
}

export function endedReview(drive: ReviewDrive, ending: ReviewEnding): ReviewResult {
  const { output } = ending;
  const { outcome, exitCode, reasons, assurance, coverage } = decide(drive, ending);
  const usageBy = usageByAgent(drive.recorded.all());
  return {
    // In the order of the schema, as every report prints it.
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
    effort: plannedEffort(drive),
  };
}

/** The same figures as `--plan`. */
function plannedEffort({ input, change }: ReviewDrive): ReviewResult['effort'] {
  const { effort: level, chunk_tokens } = input.settings;
  const { brief, files } = change.counted;
  return { level, ...effortRange(level, brief, planChunks(files, chunk_tokens), input.price) };
}

export function cancelledReview(run: KnownReview & Pick<KnownRun<ReviewRunInput>, 'clock'>): ReviewResult {
  return cancelledResult(unfinishedReview(run, 'interrupted'), 'the review was cancelled', run);
}

export function failedReview(
  run: KnownReview & Pick<KnownRun<ReviewRunInput>, 'clock'>,
  message: string,
): ReviewResult {
  return deadResult(unfinishedReview(run, 'interrupted'), message, run);
}

/** Ends the result of a run that no process can continue. */
export function deadResult(
  unfinished: ReviewResult,
  message: string,
  { clock }: Pick<KnownRun<RunInput>, 'clock'>,
): ReviewResult {
  return { ...unfinished, state: 'ended', reasons: [message], ended_at: timestampOf(clock) };
}

/** Ends the result of a run that was cancelled while no process drove it. */
export function cancelledResult(
  unfinished: ReviewResult,
  text: string,
  { clock }: Pick<KnownRun<RunInput>, 'clock'>,
): ReviewResult {
  return {
    ...unfinished,
    state: 'ended',
    outcome: 'incomplete',
    reasons: [renderReason({ code: 'cancelled', text })],
    ended_at: timestampOf(clock),
    exit_code: 3,
  };
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

function inputFacts({ input: { change } }: KnownReview): ReviewResult['input'] {
  return { kind: change.kind, base: change.base, head: change.head, digest: sha256(change.diff) };
}

/** `caller` and `user` lead without a program of their own. */
export function leadFacts({ lead }: Pick<RunInput, 'lead'>): ReviewResult['lead'] {
  return lead === null ? null : { provider: lead.provider, model: lead.model, version: null };
}

/** Returns null if no advisor was asked, because there was nothing to ask about. */
function advisorFacts({ input: { advisor }, met }: KnownReview): ReviewResult['advisor'] {
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
