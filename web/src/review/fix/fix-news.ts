/** The fate of a review's findings in the runs that were to fix them. */
import type { ReviewResult } from '../../../../src/client/run-events.ts';
import type { RunDetail } from '../../../../src/client/run-types.ts';

export type FixedFinding = NonNullable<ReviewResult['fix']>['findings'][number];

export interface FindingFate extends Pick<FixedFinding, 'fate' | 'reason'> {
  /** The address of the run that was to fix it. */
  readonly link: string;
  /** `left`: the patch was not applied. */
  readonly applied: NonNullable<ReviewResult['workflow']>['applied'];
}

export interface FixNews {
  /** The fates by the id of the finding; the newest fix counts. */
  readonly fates: ReadonlyMap<string, FindingFate>;
  /** The address of a fix that has not ended, and its state; null if there is none. */
  readonly active: { readonly link: string; readonly state: RunDetail['state'] } | null;
}

export const noFixes: FixNews = { fates: new Map(), active: null };

/** `fixes`: the runs of the kind `fix`, the newest first. */
export function fixNewsOf(
  review: string,
  fixes: readonly Pick<RunDetail, 'run_id' | 'state' | 'result'>[],
  linkTo: (run: string) => string,
): FixNews {
  const fates = new Map<string, FindingFate>();
  let active: FixNews['active'] = null;
  for (const { run_id: run, state, result } of fixes) {
    if (result?.fix?.run !== review) continue;
    const link = linkTo(run);
    if (state !== 'ended') active ??= { link, state };
    const applied = result.workflow?.applied ?? 'left';
    for (const { id, fate, reason } of result.fix.findings)
      if (!fates.has(id)) fates.set(id, { fate, reason, link, applied });
  }
  return { fates, active };
}
