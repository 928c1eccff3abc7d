/** How an outcome is shown. It is never shown better than it is. */
import { sentenceOf } from '../../../src/client/review.ts';
import type { Outcome, ReviewResult } from '../../../src/client/run-events.ts';

export type Tone = Outcome | 'unproven' | 'unfinished';

/** Green is only what a model was shown: `unproven` is a clean outcome of rules alone, or of a change without reviewable files. */
export function toneOf({
  state,
  outcome,
  assurance,
}: Pick<ReviewResult, 'state' | 'outcome' | 'assurance'>): Tone {
  if (state !== 'ended') return 'unfinished';
  if (outcome === null) return 'unproven';
  return outcome === 'clean' && assurance !== 'model' ? 'unproven' : outcome;
}

/** For people: a reason is `code: sentence`. None while it goes on, and none that only repeats what assures the result. */
export function reasonsOf({ state, reasons }: Pick<ReviewResult, 'state' | 'reasons'>): readonly string[] {
  if (state !== 'ended') return [];
  return reasons.filter((reason) => !reason.startsWith('static_checks_only: ')).map(sentenceOf);
}
