import { countsInOutcome } from '../events/findings.ts';
import { countFailing, type ExitCode, type FailOn } from './outcome.ts';
import type { ReviewResult } from './result.ts';

export interface GateOptions {
  readonly failOn: FailOn;
  /** Refuse a result of static checks alone. */
  readonly requireModel: boolean;
}

export interface GateVerdict {
  readonly exitCode: ExitCode;
  readonly message: string;
}

/**
 * Judges a saved result again, without a model. It believes the findings and the coverage, not the exit code that was
 * saved with them: the threshold may be another one now, and a verdict on a finding may have been added.
 */
export function gate(result: ReviewResult, { failOn, requireModel }: GateOptions): GateVerdict {
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
  if (requireModel && onlyRulesLooked(result)) {
    const looked = result.assurance === 'static' ? 'static checks only, no model looked' : 'no model looked';
    return { exitCode: 3, message: `refused: ${looked}` };
  }
  return judgeFindings(result, failOn);
}

/** A change with nothing reviewable in it needs no model. */
function onlyRulesLooked({ assurance, coverage }: ReviewResult): boolean {
  return assurance !== 'model' && coverage.files.some(({ status }) => status !== 'skipped');
}

function judgeFindings({ findings }: ReviewResult, failOn: FailOn): GateVerdict {
  const counted = findings.filter(countsInOutcome).length;
  const failing = countFailing(findings, failOn);
  const all = counted === 1 ? '1 finding' : `${counted} findings`;
  if (failing > 0) return { exitCode: 1, message: `refused: ${failing} of ${all} at or above ${failOn}` };
  if (counted === 0) return { exitCode: 0, message: 'passed: no finding counts' };
  return {
    exitCode: 0,
    message: failOn === 'never' ? `passed: ${all}` : `passed: ${all}, none at or above ${failOn}`,
  };
}

function withReasons(message: string, { reasons }: ReviewResult): string {
  return reasons.length === 0 ? message : `${message}: ${reasons.join('; ')}`;
}
