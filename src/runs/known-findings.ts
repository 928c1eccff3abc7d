/** What a run knew of findings when it began, and what became of that. */
import type { Finding } from '../events/collab-event.ts';
import { compareWithBaseline } from '../review/baseline.ts';
import type { Coverage } from '../review/coverage.ts';
import type { KnownFindings } from '../review/mark-known.ts';
import type { ReviewResult } from '../review/result.ts';
import type { ReviewRunInput } from './run-input.ts';

type KnowingInput = Pick<ReviewRunInput, 'baseline'>;

export function knownFindings({ baseline }: KnowingInput): KnownFindings {
  return { baseline: baseline ?? null };
}

/** For `result.json`, from findings that are marked. What was not looked at to its end proves nothing by its silence. */
export function knownReport(
  { baseline }: KnowingInput,
  findings: readonly Finding[],
  coverage: Pick<Coverage, 'files'>,
): Pick<ReviewResult, 'baseline'> {
  if (baseline === undefined) return {};
  return { baseline: compareWithBaseline(baseline, findings, coverage) };
}
