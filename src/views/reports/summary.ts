import { renderCount, renderNumber } from '../../text/quantities.ts';
import { countFailing } from '../../review/outcome/outcome.ts';
import { coveredLines } from './covered-lines.ts';
import { countFindings } from './counted-findings.ts';
import { knownLines } from './known-lines.ts';
import { sentenceOf } from '../../review/outcome/reasons.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { nextStep } from './next-step.ts';
import { tellSecondOpinion } from './second-opinion.ts';
import { renderUsage } from './usage-line.ts';

/** The last words of every report, without colours or escapes: foreign text in it is the caller's to neutralise. */
export interface Summary {
  /** `findings — 3 findings: 1 critical, 2 minor`. */
  readonly headline: string;
  /** What was looked at, in numbers. */
  readonly coverage: string;
  /** What the numbers prove, and what not (DESIGN §3). */
  readonly assurance: string;
  readonly reasons: readonly string[];
  /** The baseline, the suppression file and the cache: what each did here. */
  readonly known: readonly string[];
  /** Secrets that were covered: kind and place. */
  readonly covered: readonly string[];
  /** What it used, on one line; empty where no call told it. */
  readonly usage: readonly string[];
  readonly exit: string;
  readonly next: string;
}

export function summarise(report: ReviewResult): Summary {
  const assurance = assuranceOf(report);
  return {
    headline: headlineOf(report),
    coverage: coverageOf(report),
    assurance,
    reasons: [
      ...report.reasons.map(sentenceOf).filter((reason) => reason !== assurance),
      ...tellSecondOpinion(report),
    ],
    known: knownLines(report),
    covered: coveredLines(report),
    usage: usageOf(report),
    exit: `exit ${report.exit_code}: ${meaningOf(report)}`,
    next: nextStep(report),
  };
}

function usageOf({ usage_by }: ReviewResult): readonly string[] {
  const usage = renderUsage(usage_by);
  return usage === null ? [] : [usage];
}

export type ReportedFile = ReviewResult['coverage']['files'][number];

/** Files that were left out on purpose, and files that should have been reviewed and were not. */
export function filesWith(report: ReviewResult, status: ReportedFile['status']): readonly ReportedFile[] {
  return report.coverage.files.filter((file) => file.status === status);
}

function headlineOf(report: ReviewResult): string {
  if (report.state !== 'ended')
    return `not finished (${report.state}) — ${countFindings(report.findings)} so far`;
  if (report.outcome === null) return 'done — no review among the phases';
  return `${report.outcome} — ${countFindings(report.findings)}`;
}

/** Of a run of phases that did not come to a review the phases are told. */
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
    ...(count('skipped') > 0 ? [`${renderCount(count('skipped'), 'file')} skipped`] : []),
    ...(count('failed') > 0 ? [`${renderCount(count('failed'), 'file')} not reviewed`] : []),
  ].join('; ');
}

function withoutReview({ workflow, coverage }: ReviewResult): readonly string[] | null {
  if (workflow === undefined || coverage.files_changed > 0) return null;
  return workflow.phases.map(
    ({ phase, round, result }) => `${phase}${round === 1 ? '' : ` ${round}`} ${result}`,
  );
}

/** Rounded down: "100 %" is all of it. */
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
  if (report.state === 'ended' && report.outcome === null) return 'the phases are through';
  const failing = countFailing(report.findings, report.fail_on);
  switch (report.exit_code) {
    case 0:
      return report.fail_on === 'never'
        ? 'passed; --fail-on never'
        : `passed; nothing at or above ${report.fail_on}`;
    case 1:
      return `${renderCount(failing, 'finding')} at or above ${report.fail_on}`;
    case 3:
      return 'incomplete: this is not a clean result';
    case 4:
      return 'failed: nothing was reviewed';
    default:
      return 'unfinished';
  }
}
