/** Marks the findings that were known before this review: they stay listed, and do not count. */
import { markBaseline, type Baseline } from './baseline.ts';
import type { MergedReview } from './merge.ts';
import { markSuppressed, type Suppressions } from './suppressions.ts';

/** The known findings at the start of the run. */
export interface KnownFindings {
  /** The earlier result; null if none was given. */
  readonly baseline: Baseline | null;
  /** The suppression file's entries; null if there is no such file. */
  readonly suppressions: Suppressions | null;
  /** The day of the run's start, in UTC: `2026-11-22`. */
  readonly day: string;
}

export function markKnown(merged: MergedReview, known: KnownFindings | undefined): MergedReview {
  if (known === undefined) return merged;
  const { baseline, suppressions, day } = known;
  const compared = baseline === null ? merged.findings : markBaseline(merged.findings, baseline);
  const findings = suppressions === null ? compared : markSuppressed(compared, suppressions, day);
  return { ...merged, findings };
}
