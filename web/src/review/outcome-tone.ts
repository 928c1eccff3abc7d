/** Chooses how an outcome is shown: never better than it is. */
import type { Outcome, ReviewResult } from '../../../src/client/run-events.ts';

type ShownOutcome = Pick<ReviewResult, 'state' | 'outcome' | 'assurance'> & {
  readonly coverage: Pick<ReviewResult['coverage'], 'lines_reviewed' | 'lines_scanned'>;
};

export type OutcomeTone = Outcome | 'unproven' | 'unfinished';

/**
 * Green means that a model saw the change: `unproven` is a clean outcome of rules alone. A review that read no line,
 * which version 0.1.0 called clean, is shown as a review of nothing.
 */
export function toneOf({ state, outcome, assurance, coverage }: ShownOutcome): OutcomeTone {
  if (state !== 'ended') return 'unfinished';
  if (outcome === null) return 'unproven';
  if (outcome === 'clean' && coverage.lines_reviewed + coverage.lines_scanned === 0)
    return 'nothing_reviewed';
  return outcome === 'clean' && assurance !== 'model' ? 'unproven' : outcome;
}

/** Reasons for people: each is `code: sentence`. None while the review runs, and none that only repeats the assurance. */
export function reasonsOf({ state, reasons }: Pick<ReviewResult, 'state' | 'reasons'>): readonly string[] {
  if (state !== 'ended') return [];
  return reasons.filter((reason) => !reason.startsWith('static_checks_only: '));
}
