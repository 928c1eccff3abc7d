import { countsInOutcome } from '../../events/findings.ts';
import type { FailOn } from '../../tags/severities.ts';
import { countFailing, type ExitCode } from './outcome.ts';
import type { ReviewResult } from './result.ts';
import { renderCount } from '../../text/quantities.ts';

export interface OutcomeGateOptions {
  /** The threshold; null means that of the review. */
  readonly fail_on: FailOn | null;
  /** Refuses a result of static checks alone. */
  readonly requireModel: boolean;
}

export interface GateVerdict {
  readonly exitCode: ExitCode;
  readonly message: string;
}

/**
 * Judges a saved result again, without a model. It trusts the saved findings and coverage, but neither the outcome nor
 * the exit code: the threshold may differ now, and a verdict on a finding may have been added.
 */
export function gate(result: ReviewResult, { fail_on, requireModel }: OutcomeGateOptions): GateVerdict {
  if (result.state !== 'ended')
    return { exitCode: 4, message: `refused: the review has not ended (${result.state})` };
  if (result.outcome === null) return { exitCode: 4, message: 'refused: this run had no review' };
  if (result.outcome === 'failed')
    return { exitCode: 4, message: withReasons('refused: the review failed', result) };
  if (result.outcome === 'incomplete') {
    return { exitCode: 3, message: withReasons('refused: the review is incomplete', result) };
  }
  const unseen = result.coverage.files.filter(({ status }) => status === 'failed').map(({ path }) => path);
  if (unseen.length > 0) return { exitCode: 3, message: `refused: not reviewed: ${unseen.join(', ')}` };
  const { files, files_changed: changed } = result.coverage;
  if (files.length !== changed) {
    return {
      exitCode: 3,
      message: `refused: ${changed} files were changed, but the result names ${files.length}`,
    };
  }
  if (result.outcome === 'nothing_reviewed' && result.findings.length === 0) {
    const exitCode = result.exit_code === 0 ? 0 : 3;
    const verdict = exitCode === 0 ? 'passed' : 'refused';
    return { exitCode, message: withReasons(`${verdict}: nothing was reviewed`, result) };
  }
  const looked = requireModel ? lookWithoutModel(result) : null;
  if (looked !== null) return { exitCode: 3, message: `refused: ${looked}` };
  return judgeFindings(result, fail_on ?? result.fail_on);
}

/**
 * Returns a sentence if the review was not by a model, else null; a change with nothing reviewable in it needs no
 * model.
 */
function lookWithoutModel({ assurance, coverage: { files } }: ReviewResult): string | null {
  if (files.every(({ status }) => status === 'skipped')) return null;
  const isScanned = files.some(({ status }) => status === 'scanned');
  if (assurance === 'model' && !isScanned) return null;
  return assurance === 'none' ? 'no model looked' : 'static checks only, no model looked';
}

function judgeFindings({ findings }: ReviewResult, threshold: FailOn): GateVerdict {
  const counted = findings.filter(countsInOutcome).length;
  const failing = countFailing(findings, threshold);
  const all = renderCount(counted, 'finding');
  if (failing > 0) return { exitCode: 1, message: `refused: ${failing} of ${all} at or above ${threshold}` };
  if (counted === 0) return { exitCode: 0, message: `passed: no finding counts${uncounted(findings)}` };
  const below = threshold === 'never' ? '' : `, none at or above ${threshold}`;
  return { exitCode: 0, message: `passed: ${all}${below}${uncounted(findings)}` };
}

/** Lists the findings that the gate passes without counting them, so that none passes silently. */
function uncounted(findings: ReviewResult['findings']): string {
  const listed = findings.filter((finding) => !countsInOutcome(finding));
  const rejected = listed.filter(({ verdict }) => verdict === 'rejected').length;
  const still = listed.filter(({ verdict, baseline }) => verdict !== 'rejected' && baseline === true).length;
  const parts = [
    [still, 'still there'],
    [listed.length - rejected - still, 'suppressed'],
    [rejected, 'rejected'],
  ] as const;
  return parts.map(([count, what]) => (count === 0 ? '' : `; ${count} ${what}`)).join('');
}

function withReasons(message: string, { reasons }: ReviewResult): string {
  return reasons.length === 0 ? message : `${message}: ${reasons.join('; ')}`;
}
