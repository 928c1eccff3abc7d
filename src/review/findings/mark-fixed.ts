/** Marks the findings on lines that the last fix wrote: the fix itself caused them. */
import type { Finding } from '../../events/collab-event.ts';
import type { LineRange } from '../../parsers/diff/types.ts';
import type { MergedReview } from './merge.ts';

/** `fixed` are the lines of the fix, on the new side of the review's change; null if there was no fix. */
export function markFixed(merged: MergedReview, fixed: readonly LineRange[] | null): MergedReview {
  if (fixed === null || fixed.length === 0) return merged;
  return {
    ...merged,
    findings: merged.findings.map((finding) =>
      isWithin(finding, fixed) ? { ...finding, caused_by_fix: true } : finding,
    ),
  };
}

function isWithin(
  { path, side, start_line: start, end_line: end }: Finding,
  fixed: readonly LineRange[],
): boolean {
  if (side !== 'new' || start === null || end === null) return false;
  return fixed.some(
    (range) => range.path === path && range.side === 'new' && range.start <= end && start <= range.end,
  );
}
