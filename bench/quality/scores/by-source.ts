/** Precision by rule and by lens. Pure. */
import type { Finding } from '../../../src/events/collab-event.ts';
import type { ScoredReview } from './score-run.ts';

export interface SourcePrecision {
  /** `rule:<name>`, `lens:<name>`, or `model` for a review in one pass. */
  readonly source: string;
  readonly findings: number;
  /** About a known fault: by meaning and place, or by place alone if the meaning was not judged. */
  readonly fitting: number;
}

/** Over all runs. A finding of two lenses counts for both. */
export function precisionBySource(reviews: readonly ScoredReview[]): readonly SourcePrecision[] {
  const counts = new Map<string, { findings: number; fitting: number }>();
  for (const { counted, byBoth, byLine } of reviews) {
    const fitting = new Set((byBoth ?? byLine).fitting);
    for (const finding of counted)
      for (const source of sourcesOf(finding)) {
        const count = counts.get(source) ?? { findings: 0, fitting: 0 };
        count.findings += 1;
        count.fitting += fitting.has(finding) ? 1 : 0;
        counts.set(source, count);
      }
  }
  return [...counts]
    .map(([source, count]) => ({ source, ...count }))
    .toSorted((one, other) => (one.source < other.source ? -1 : 1));
}

function sourcesOf({ source, found_by: lenses }: Finding): readonly string[] {
  const passes = lenses?.map((lens) => `lens:${lens}`) ?? [];
  if (source !== undefined) return [source, ...passes];
  return passes.length === 0 ? ['model'] : passes;
}
