import { renderCount, renderNumber } from '../../text/quantities.ts';
import { countFailing } from '../../review/outcome/outcome.ts';
import { coveredLines } from './covered-lines.ts';
import { countFindings } from './counted-findings.ts';
import { knownLines } from './known-lines.ts';
import { sentenceOf } from '../../review/outcome/reasons.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { nextStep } from './next-step.ts';
import { renderSecondOpinion } from './second-opinion.ts';
import { renderUsage } from './usage-line.ts';

/** The last lines of every report, without colors or escapes: the caller neutralizes foreign text in it. */
export interface Summary {
  /** `findings — 3 findings: 1 critical, 2 minor`. */
  readonly headline: string;
  /** How much was reviewed, in numbers. */
  readonly coverage: string;
  /** The meaning and the limits of the numbers. */
  readonly assurance: string;
  readonly reasons: readonly string[];
  /** The effects of the baseline, the suppression file and the cache on this run. */
  readonly known: readonly string[];
  /** Secrets that were masked: kind and place. */
  readonly covered: readonly string[];
  /** The usage, on one line; empty if no call reported it. */
  readonly usage: readonly string[];
  readonly exit: string;
  readonly next: string;
}

export interface SummaryOptions {
  /** The flag by which a command finds the run, with a space before it. Default: none. */
  readonly remote?: string | undefined;
}

export function summarise(report: ReviewResult, { remote }: SummaryOptions = {}): Summary {
  const assurance = assuranceOf(report);
  return {
    headline: headlineOf(report),
    coverage: coverageOf(report),
    assurance,
    reasons: [
      ...report.reasons.map(sentenceOf).filter((reason) => reason !== assurance),
      ...renderSecondOpinion(report),
    ],
    known: knownLines(report),
    covered: coveredLines(report),
    usage: usageOf(report),
    exit: `exit ${report.exit_code}: ${meaningOf(report)}`,
    next: nextStep(report, remote),
  };
}

function usageOf({ usage_by }: ReviewResult): readonly string[] {
  const usage = renderUsage(usage_by);
  return usage === null ? [] : [usage];
}

export type ReportedFile = ReviewResult['coverage']['files'][number];

/** Returns the files left out on purpose, or the files that should have been reviewed and were not. */
export function filesWith(report: ReviewResult, status: ReportedFile['status']): readonly ReportedFile[] {
  return report.coverage.files.filter((file) => file.status === status);
}

function headlineOf(report: ReviewResult): string {
  if (report.state !== 'ended')
    return `not finished (${report.state}) — ${countFindings(report.findings)} so far`;
  if (report.outcome === null) return 'done — no review among the phases';
  if (report.outcome === 'nothing_reviewed') return 'nothing reviewed — no line was looked at';
  return `${report.outcome} — ${countFindings(report.findings)}${partLookedAt(report)}`;
}

/** For a clean review that left lines out, returns the part that it is about. */
function partLookedAt({ outcome, coverage }: ReviewResult): string {
  const [part, all] = [lookedAt(coverage), coverage.lines_changed];
  if (outcome !== 'clean' || part === all) return '';
  return `; ${renderNumber(part)} of ${renderCount(all, 'changed line')} looked at`;
}

function lookedAt({ lines_reviewed, lines_scanned }: ReviewResult['coverage']): number {
  return lines_reviewed + lines_scanned;
}

/** For a run of phases that did not reach a review, reports the phases. */
function coverageOf(report: ReviewResult): string {
  const phases = withoutReview(report);
  if (phases !== null) return phases.length === 0 ? 'no phase has ended' : `phases: ${phases.join(', ')}`;
  const { files_changed, lines_changed, lines_reviewed, lines_scanned } = report.coverage;
  const files = renderCount(files_changed, 'changed file');
  const lines = renderCount(lines_changed, 'changed line');
  const looked = (verb: string, count: number, part: number): string =>
    `${verb} ${count} of ${files}, ${renderNumber(part)} of ${lines}${percent(part, lines_changed)}`;
  const count = (status: ReportedFile['status']): number => filesWith(report, status).length;
  return [
    ...(lines_reviewed > 0 || lines_scanned === 0
      ? [looked('reviewed', count('reviewed'), lines_reviewed)]
      : []),
    ...(lines_scanned > 0 ? [looked('scanned by rules only', count('scanned'), lines_scanned)] : []),
    ...(count('skipped') > 0 ? [`${renderCount(count('skipped'), 'file')} skipped${byOthers(report)}`] : []),
    ...(count('failed') > 0 ? [`${renderCount(count('failed'), 'file')} not reviewed`] : []),
  ].join('; ');
}

/** Distinguishes the files that collab skips by its own rules from those that others left out. */
function byOthers(report: ReviewResult): string {
  const skipped = filesWith(report, 'skipped');
  const count = (by: ReportedFile['skipped_by']) => skipped.filter((file) => file.skipped_by === by).length;
  const parts = [
    ...(count('repository') > 0 ? [`${count('repository')} left out by the repository`] : []),
    ...(count('user') > 0 ? [`${count('user')} left out on request`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function withoutReview({ workflow, coverage }: ReviewResult): readonly string[] | null {
  if (workflow === undefined || coverage.files_changed > 0) return null;
  return workflow.phases.map(
    ({ phase, round, result }) => `${phase}${round === 1 ? '' : ` ${round}`} ${result}`,
  );
}

/** Rounds down: "100 %" means everything. */
function percent(part: number, whole: number): string {
  return whole === 0 ? '' : ` (${Math.floor((100 * part) / whole)} %)`;
}

function assuranceOf({ assurance, coverage, workflow }: ReviewResult): string {
  switch (assurance) {
    case 'static':
      return 'static checks only, no model looked';
    case 'none':
      if (workflow !== undefined && coverage.files_changed === 0) return 'nothing was reviewed';
      return coverage.lines_reviewed === 0 ? 'nothing was looked at' : 'no model looked';
    case 'model':
      return coverage.lines_reviewed === 0
        ? 'no line was in the prompt of an exchange that settled'
        : 'each reviewed line was in the prompt of an exchange that settled: it was shown and a whole answer came ' +
            'back, which is no proof that the model thought about it';
  }
  return assurance satisfies never;
}

function meaningOf(report: ReviewResult): string {
  if (report.state === 'ended' && report.outcome === null) return 'the phases are done';
  const failing = countFailing(report.findings, report.fail_on);
  switch (report.exit_code) {
    case 0:
      if (report.outcome === 'nothing_reviewed') return 'nothing was reviewed, and nothing had to be';
      return report.fail_on === 'never'
        ? 'passed; --fail-on never'
        : `passed; nothing at or above ${report.fail_on}`;
    case 1:
      return `${renderCount(failing, 'finding')} at or above ${report.fail_on}`;
    case 3:
      return report.outcome === 'nothing_reviewed'
        ? 'nothing was reviewed, and the change itself or --fail-on-empty makes that a failure'
        : 'incomplete: this is not a clean result';
    case 4:
      return 'failed: nothing was reviewed';
    default:
      return 'unfinished';
  }
}
