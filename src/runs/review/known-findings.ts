/** Findings known when a run started, and what became of them. */
import type { Finding } from '../../events/collab-event.ts';
import { compareWithBaseline } from '../../review/findings/baseline.ts';
import type { Coverage } from '../../review/outcome/coverage.ts';
import type { KnownFindings } from '../../review/findings/mark-known.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { reportSuppressions } from '../../review/findings/suppressions.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';

type KnowingInput = Pick<ReviewRunInput, 'baseline' | 'settings' | 'started_at'>;

export function knownFindings({ baseline, settings, started_at }: KnowingInput): KnownFindings {
  return {
    baseline: baseline ?? null,
    suppressions: settings.suppressions ?? null,
    day: started_at.slice(0, 10),
  };
}

/**
 * Reports the marked findings for `result.json`. A file whose review is incomplete does not show that its known
 * findings are gone.
 */
export function knownReport(
  input: KnowingInput,
  findings: readonly Finding[],
  coverage: Pick<Coverage, 'files'>,
): Pick<ReviewResult, 'baseline' | 'suppressions'> {
  const { baseline, suppressions, day } = knownFindings(input);
  return {
    ...(baseline === null ? {} : { baseline: compareWithBaseline(baseline, findings, coverage) }),
    ...(suppressions === null
      ? {}
      : { suppressions: reportSuppressions(suppressions, findings, { coverage, day }) }),
  };
}
