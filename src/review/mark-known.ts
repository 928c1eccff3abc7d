/** Marks the findings that were known before this review: they stay listed, and do not count. */
import { markBaseline, type Baseline } from './baseline.ts';
import type { MergedReview } from './merge.ts';

/** What was known when the run began. */
export interface KnownFindings {
  /** Null where none was given. */
  readonly baseline: Baseline | null;
}

export function markKnown(merged: MergedReview, known: KnownFindings | undefined): MergedReview {
  if (known === undefined) return merged;
  const { baseline } = known;
  return {
    ...merged,
    findings: baseline === null ? merged.findings : markBaseline(merged.findings, baseline),
  };
}
