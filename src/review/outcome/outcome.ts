import type { Finding, Outcome } from '../../events/collab-event.ts';
import { countsInOutcome, decidesExit, isBesideTheChange } from '../../events/findings.ts';
import { compareSeverity, severities, type FailOn } from '../../tags/severities.ts';
import type { Census } from '../census/census.ts';
import {
  hiddenByChange,
  mostAddedCharacters,
  movedIn,
  reencoding,
  unreadable,
  type Unseen,
} from '../census/unseen.ts';
import { computeCoverage, type Assurance, type Coverage, type ExchangeReport } from './coverage.ts';
import { unsettledReasons, type Reason } from './reasons.ts';
import { renderCount } from '../../text/quantities.ts';

export interface OutcomeInput {
  readonly fail_on: FailOn;
  /** Exits with 3 instead of 0 if there is nothing to review. */
  readonly fail_on_empty: boolean;
  readonly census: Census;
  /** Every planned exchange; one that never started is `exhausted` by `time`. */
  readonly exchanges: readonly ExchangeReport[];
  readonly findings: readonly Finding[];
  /** `auto`: the user named no advisor. */
  readonly advisorChosenBy: 'asked' | 'auto';
  /** Why the rules failed; null if they read everything. */
  readonly rulesFault: string | null;
  /** `collab cancel` ended the run. */
  readonly cancelled: boolean;
}

export interface Decision {
  readonly outcome: Outcome;
  readonly exitCode: ExitCode;
  /** The first reason decides; never empty. */
  readonly reasons: readonly Reason[];
  readonly assurance: Assurance;
  readonly coverage: Coverage;
}

export type ExitCode = 0 | 1 | 3 | 4;

/** Decides the outcome in this order: failed, incomplete, findings, clean. */
export function decideOutcome(input: OutcomeInput): Decision {
  const coverage = computeCoverage(input.census, input.exchanges);
  const { outcome, reasons } = judge(input, coverage);
  return {
    outcome,
    exitCode: exitCodeOf(outcome, input),
    reasons,
    assurance: coverage.assurance,
    coverage,
  };
}

type ExitInput = Pick<OutcomeInput, 'fail_on' | 'fail_on_empty' | 'findings'> & {
  readonly census: Pick<Census, 'files'>;
};

export function exitCodeOf(
  outcome: Outcome,
  { census, findings, fail_on, fail_on_empty }: ExitInput,
): ExitCode {
  switch (outcome) {
    case 'failed':
      return 4;
    case 'incomplete':
      return 3;
    case 'nothing_reviewed':
      return fail_on_empty || census.files.some(({ unseen }) => unseen !== null) ? 3 : 0;
    case 'findings':
      return countFailing(findings, fail_on) > 0 ? 1 : 0;
    case 'clean':
      return 0;
    default:
      return outcome satisfies never;
  }
}

/** Counts the findings that reach the threshold. */
export function countFailing(findings: readonly Finding[], threshold: FailOn): number {
  if (threshold === 'never') return 0;
  return findings.filter(
    (finding) => decidesExit(finding) && compareSeverity(finding.severity, threshold) <= 0,
  ).length;
}

type Judgement = Pick<Decision, 'outcome' | 'reasons'>;

function judge(input: OutcomeInput, coverage: Coverage): Judgement {
  const found = findingsReasons(input);
  const unseen = unseenReasons(input.census);
  if (input.census.reviewable.length === 0) return judgeNothing(input, { found, unseen });
  const interruption = judgeInterruption(input, coverage, unseen);
  if (interruption !== null) return { ...interruption, reasons: [...interruption.reasons, ...found] };
  if (found.length > 0) return { outcome: 'findings', reasons: [...found, ...staticOnly(coverage)] };
  return judgeSilence(input, coverage);
}

interface Known {
  readonly found: readonly Reason[];
  readonly unseen: readonly Reason[];
}

/** Judges a change without reviewable lines. Findings of rules in skipped files still count. */
function judgeNothing({ census, cancelled }: OutcomeInput, { found, unseen }: Known): Judgement {
  const reason: Reason =
    census.filesChanged === 0
      ? { code: 'nothing_changed', text: 'the change is empty' }
      : { code: 'nothing_reviewable', text: `nothing reviewable: ${census.summary}` };
  const nothing = [...unseen, ...(unseen.length > 0 && census.summary === '' ? [] : [reason])];
  if (cancelled) return { outcome: 'incomplete', reasons: [cancellation, ...nothing, ...found] };
  if (found.length === 0) return { outcome: 'nothing_reviewed', reasons: nothing };
  return { outcome: unseen.length > 0 ? 'incomplete' : 'findings', reasons: [...unseen, ...found] };
}

const cancellation: Reason = { code: 'cancelled', text: 'the review was cancelled' };

/** Returns a judgment if an exchange that should have settled did not; null if all did. */
function judgeInterruption(
  { exchanges, cancelled, rulesFault }: OutcomeInput,
  coverage: Coverage,
  unseen: readonly Reason[],
): Judgement | null {
  const unsettled = exchanges.filter(({ outcome }) => outcome !== 'settled');
  const settled = exchanges.length - unsettled.length;
  const reasons = [...(cancelled ? [cancellation] : []), ...unsettledOf(unsettled)];
  const failed = settled === 0 && unsettled.some(({ outcome }) => outcome === 'unavailable');
  if (failed) return { outcome: 'failed', reasons };
  const missed = [...missedLines(coverage), ...unseen, ...rulesFailed(rulesFault)];
  if (reasons.length > 0) return { outcome: 'incomplete', reasons: [...reasons, ...missed] };
  if (exchanges.length === 0) return { outcome: 'failed', reasons: [nothingAsked] };
  return missed.length === 0 ? null : { outcome: 'incomplete', reasons: missed };
}

/** Findings that rules might have made are missing, whatever the advisor says. */
function rulesFailed(fault: string | null): readonly Reason[] {
  if (fault === null) return [];
  return [{ code: 'rules_failed', text: `the rules failed and looked at nothing: ${fault}` }];
}

const nothingAsked: Reason = { code: 'internal_fault', text: 'no exchange was made about the change' };

/** Returns one reason for each cause, with the exchanges that ended by it and their messages, each once. */
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

/** The coverage names every file, a reason only the first ones. */
const filesNamed = 5;

function missedLines({ linesMissed, files }: Coverage): readonly Reason[] {
  if (linesMissed === 0) return [];
  const lines = renderCount(linesMissed, 'changed line');
  const missed = files
    .filter(({ status, reason }) => status === 'failed' && !isNoMissedLine(reason))
    .map(({ path }) => path);
  const were = linesMissed === 1 ? 'was' : 'were';
  return [
    { code: 'lines_not_shown', text: `${lines} of ${naming(missed)} ${were} in no exchange that settled` },
  ];
}

/** Reasons of files that failed although each of their lines may have been shown, or none could be. */
function isNoMissedLine(reason: string | null): boolean {
  return [unreadable, reencoding, hiddenByChange].some((unseen) => unseen.reason === reason);
}

function naming(paths: readonly string[]): string {
  const more = paths.length - filesNamed;
  return `${paths.slice(0, filesNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns reasons for the parts of the change that cannot be reviewed. */
function unseenReasons({ files }: Pick<Census, 'files'>): readonly Reason[] {
  const pathsOf = (kind: Unseen['kind']) =>
    files.filter(({ unseen }) => unseen?.kind === kind).map(({ path }) => path);
  const moved = files.filter(({ unseen }) => unseen === movedIn).map(({ path }) => path);
  const binary = pathsOf('unreadable').filter((path) => !moved.includes(path));
  const long = pathsOf('too_long');
  const encodings = pathsOf('reencoding');
  const hidden = pathsOf('hidden');
  return [
    ...(hidden.length === 0
      ? []
      : [{ code: 'file_hidden', text: `ignore rules of the change itself hide ${naming(hidden)}` } as const]),
    ...(binary.length === 0
      ? []
      : [{ code: 'file_unreadable', text: `the change makes ${naming(binary)} unreadable` } as const]),
    ...(moved.length === 0
      ? []
      : [
          {
            code: 'file_unreadable',
            text: `the diff does not have the whole text of ${naming(moved)}, skipped at the old path until now`,
          } as const,
        ]),
    ...(encodings.length === 0
      ? []
      : [
          {
            code: 'file_unreadable',
            text: `${naming(encodings)} changes the encoding in which files are checked out`,
          } as const,
        ]),
    ...(long.length === 0
      ? []
      : [
          {
            code: 'text_too_long',
            text: `${naming(long)} ${long.length === 1 ? 'adds' : 'add'} more text than the ${mostAddedCharacters / 1024} KiB of a file that are reviewed`,
          } as const,
        ]),
  ];
}

function findingsReasons({ findings, fail_on }: OutcomeInput): readonly Reason[] {
  const counted = findings.filter(countsInOutcome);
  const failing = countFailing(findings, fail_on);
  if (counted.length === 0) return [];
  if (failing > 0) {
    const text = `${renderCount(failing, 'finding')} ${orWorse(fail_on)}, ${counted.length} in all${remarks(counted)}`;
    return [{ code: 'findings_at_threshold', text }];
  }
  const why = fail_on === 'never' ? 'which never fail this review' : `none ${orWorse(fail_on)}`;
  return [
    {
      code: 'findings_below_threshold',
      text: `${renderCount(counted.length, 'finding')}, ${why}${remarks(counted)}`,
    },
  ];
}

/** Adds facts about the counted findings that a severity alone does not show. */
function remarks(counted: readonly Finding[]): string {
  const beside = counted.filter(isBesideTheChange).length;
  const assumed = counted.filter(({ severity_inferred }) => severity_inferred === true).length;
  return [
    ...(beside === 0
      ? []
      : [`; ${beside} in files outside the change, which decide nothing until confirmed`]),
    ...(assumed === 0
      ? []
      : [`; ${assumed} without a severity of ${assumed === 1 ? 'its' : 'their'} own, taken as important`]),
  ].join('');
}

function orWorse(grade: FailOn): string {
  return grade === severities[0] ? grade : `${grade} or worse`;
}

/**
 * Judges a review in which everything settled and nothing counts. An advisor without a model that the user did not
 * choose may not return "clean".
 */
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
