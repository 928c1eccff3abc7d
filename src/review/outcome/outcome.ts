import type { Finding, Outcome } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import { compareSeverity, severities } from '../../tags/tags.ts';
import type { Census } from '../census/census.ts';
import { computeCoverage, type Assurance, type Coverage, type ExchangeReport } from './coverage.ts';
import { unsettledReasons, type Reason } from './reasons.ts';

/** The lowest grade that makes a review exit 1. */
export const failOnGrades = [...severities, 'never'] as const;
export type FailOn = (typeof failOnGrades)[number];

export interface OutcomeInput {
  readonly failOn: FailOn;
  /** Exit 3 instead of 0 where there is nothing to review. */
  readonly failOnEmpty: boolean;
  readonly census: Census;
  /** Every exchange that was planned; one that never began is `exhausted` by `time`. */
  readonly exchanges: readonly ExchangeReport[];
  readonly findings: readonly Finding[];
  /** `auto`: the user named no advisor. */
  readonly advisorChosenBy: 'asked' | 'auto';
  /** `collab cancel` ended the run. */
  readonly cancelled: boolean;
}

export interface Decision {
  readonly outcome: Outcome;
  readonly exitCode: ExitCode;
  /** What decided first; never empty. */
  readonly reasons: readonly Reason[];
  readonly assurance: Assurance;
  readonly coverage: Coverage;
}

export type ExitCode = 0 | 1 | 3 | 4;

/** The table of DESIGN §8: failed before incomplete before findings before clean. */
export function decideOutcome(input: OutcomeInput): Decision {
  const coverage = computeCoverage(input.census, input.exchanges);
  const { outcome, reasons } = judge(input, coverage);
  return {
    outcome,
    exitCode: exitCodeOf(outcome, input.findings, input.failOn),
    reasons,
    assurance: coverage.assurance,
    coverage,
  };
}

export function exitCodeOf(outcome: Outcome, findings: readonly Finding[], failOn: FailOn): ExitCode {
  switch (outcome) {
    case 'failed':
      return 4;
    case 'incomplete':
      return 3;
    case 'findings':
      return countFailing(findings, failOn) > 0 ? 1 : 0;
    case 'clean':
      return 0;
    default:
      return outcome satisfies never;
  }
}

/** How many findings reach the threshold. */
export function countFailing(findings: readonly Finding[], failOn: FailOn): number {
  if (failOn === 'never') return 0;
  return findings.filter(
    (finding) => countsInOutcome(finding) && compareSeverity(finding.severity, failOn) <= 0,
  ).length;
}

type Judgement = Pick<Decision, 'outcome' | 'reasons'>;

function judge(input: OutcomeInput, coverage: Coverage): Judgement {
  if (input.census.reviewable.length === 0) return judgeNothing(input);
  const interruption = judgeInterruption(input, coverage);
  const found = findingsReasons(input);
  if (interruption !== null) return { ...interruption, reasons: [...interruption.reasons, ...found] };
  if (found.length > 0) return { outcome: 'findings', reasons: [...found, ...staticOnly(coverage)] };
  return judgeSilence(input, coverage);
}

function judgeNothing({ census, failOnEmpty, cancelled }: OutcomeInput): Judgement {
  const reason: Reason =
    census.filesChanged === 0
      ? { code: 'nothing_changed', text: 'the change is empty' }
      : { code: 'nothing_reviewable', text: `nothing reviewable: ${census.summary}` };
  if (cancelled) return { outcome: 'incomplete', reasons: [cancellation, reason] };
  return { outcome: failOnEmpty ? 'incomplete' : 'clean', reasons: [reason] };
}

const cancellation: Reason = { code: 'cancelled', text: 'the review was cancelled' };

/** Something that should have settled did not; null where everything did. */
function judgeInterruption({ exchanges, cancelled }: OutcomeInput, coverage: Coverage): Judgement | null {
  const unsettled = exchanges.filter(({ outcome }) => outcome !== 'settled');
  const settled = exchanges.length - unsettled.length;
  const reasons = [...(cancelled ? [cancellation] : []), ...unsettledOf(unsettled)];
  const failed = settled === 0 && unsettled.some(({ outcome }) => outcome === 'unavailable');
  if (failed) return { outcome: 'failed', reasons };
  if (reasons.length > 0) return { outcome: 'incomplete', reasons: [...reasons, ...missedLines(coverage)] };
  if (exchanges.length === 0) return { outcome: 'failed', reasons: [nothingAsked] };
  const missed = missedLines(coverage);
  return missed.length === 0 ? null : { outcome: 'incomplete', reasons: missed };
}

const nothingAsked: Reason = { code: 'internal_fault', text: 'no exchange was made about the change' };

/** One reason for each cause, with the exchanges that ended by it and what was said about them, each once. */
function unsettledOf(unsettled: readonly ExchangeReport[]): readonly Reason[] {
  const causes = new Set(unsettled.map(causeOf));
  return [...causes].map((cause) => {
    const ended = unsettled.filter((exchange) => causeOf(exchange) === cause);
    const { code, text } = unsettledReasons[cause];
    const names = ended.map(({ name }) => name).join(', ');
    const details = new Set(ended.flatMap(({ detail }) => (detail === null ? [] : [detail])));
    return { code, text: [`${text} (${names})`, ...details].join('; ') };
  });
}

function causeOf({ cause, outcome }: ExchangeReport): keyof typeof unsettledReasons {
  return cause ?? (outcome === 'exhausted' ? 'protocol' : 'internal');
}

/** The coverage names every file, a reason the first ones. */
const filesNamed = 5;

function missedLines({ linesMissed, files }: Coverage): readonly Reason[] {
  if (linesMissed === 0) return [];
  const lines = linesMissed === 1 ? '1 changed line' : `${linesMissed} changed lines`;
  const missed = files.filter(({ status }) => status === 'failed').map(({ path }) => path);
  const more = missed.length - filesNamed;
  const names = `${missed.slice(0, filesNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const were = linesMissed === 1 ? 'was' : 'were';
  return [{ code: 'lines_not_shown', text: `${lines} of ${names} ${were} in no exchange that settled` }];
}

function findingsReasons({ findings, failOn }: OutcomeInput): readonly Reason[] {
  const counted = findings.filter(countsInOutcome).length;
  const failing = countFailing(findings, failOn);
  if (counted === 0) return [];
  if (failing > 0) {
    const text = `${counting(failing)} ${orWorse(failOn)}, ${counted} in all`;
    return [{ code: 'findings_at_threshold', text }];
  }
  const why = failOn === 'never' ? 'which never fail this review' : `none ${orWorse(failOn)}`;
  return [{ code: 'findings_below_threshold', text: `${counting(counted)}, ${why}` }];
}

function counting(findings: number): string {
  return findings === 1 ? '1 finding' : `${findings} findings`;
}

function orWorse(grade: FailOn): string {
  return grade === severities[0] ? grade : `${grade} or worse`;
}

/** Everything settled and nothing counts. An advisor without a model that nobody asked for may not say "clean". */
function judgeSilence({ advisorChosenBy }: OutcomeInput, coverage: Coverage): Judgement {
  if (coverage.assurance !== 'model' && advisorChosenBy === 'auto') {
    const text = 'no model looked: no agent was found, and static checks alone found nothing that counts';
    return { outcome: 'incomplete', reasons: [{ code: 'no_model_reviewer', text }] };
  }
  const clean: Reason = { code: 'no_findings', text: 'every exchange settled, no finding counts' };
  return { outcome: 'clean', reasons: [clean, ...staticOnly(coverage)] };
}

function staticOnly(coverage: Coverage): readonly Reason[] {
  if (coverage.assurance !== 'static') return [];
  return [{ code: 'static_checks_only', text: 'static checks only, no model looked' }];
}
