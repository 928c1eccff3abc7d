/** Marks the findings that were known before this review: they stay listed, and do not count. */
import { markBaseline, type Baseline } from './baseline.ts';
import type { MergedReview } from './merge.ts';
import { markSuppressed, type Suppressions } from './suppressions.ts';

/** What was known when the run began. */
export interface KnownFindings {
  /** Null where none was given. */
  readonly baseline: Baseline | null;
  /** Null where there is no suppression file. */
  readonly suppressions: Suppressions | null;
  /** On which the run began, in UTC: `2026-11-22`. */
  readonly day: string;
}

export function markKnown(merged: MergedReview, known: KnownFindings | undefined): MergedReview {
  if (known === undefined) return merged;
  const { baseline, suppressions, day } = known;
  const compared = baseline === null ? merged.findings : markBaseline(merged.findings, baseline);
  const findings = suppressions === null ? compared : markSuppressed(compared, suppressions, day);
  return { ...merged, findings };
}
