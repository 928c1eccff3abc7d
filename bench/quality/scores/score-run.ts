/** The figures of one run over all changes. Pure. */
import type { Finding } from '../../../src/events/collab-event.ts';
import type { KnownFault, SetChange } from '../sets/benchmark-set.ts';
import { hasLines, lineDistance, matchFaults, type Matches } from './match-faults.ts';
import { isReviewed, type SavedReview } from './saved-results.ts';

/** Shares from 0 to 1; null if there is nothing to count. */
export interface RunFigures {
  readonly recall: number | null;
  readonly precision: number | null;
  readonly f1: number | null;
  readonly lineRecall: number | null;
  readonly linePrecision: number | null;
  readonly meaningRecall: number | null;
  readonly meaningPrecision: number | null;
  readonly exactLines: number | null;
  readonly severity: number | null;
  readonly quiet: number | null;
}

export interface ScoredReview extends SavedReview {
  /** Those that count: rejected ones do not. */
  readonly counted: readonly Finding[];
  readonly faults: readonly KnownFault[];
  readonly byLine: Matches<Finding>;
  readonly byMeaning: Matches<Finding> | null;
  readonly byBoth: Matches<Finding> | null;
}

/** Returns the ids of the faults that a finding of a change is about; null if that was not judged. */
export type JudgedFaults = (change: string, finding: Finding) => ReadonlySet<string> | null;

export function scoreReview(
  review: SavedReview,
  { faults }: Pick<SetChange, 'faults'>,
  judged: JudgedFaults,
): ScoredReview {
  const counted = review.findings.filter(({ verdict }) => verdict !== 'rejected');
  const same = (finding: Finding): ReadonlySet<string> | null =>
    faults.length === 0 ? new Set() : judged(review.change, finding);
  return { ...review, counted, faults, ...matchFaults(faults, counted, same) };
}

/** A review that did not end counts with what it found; its other faults count as missed. */
export function scoreRun(reviews: readonly ScoredReview[]): RunFigures {
  const all = (of: (review: ScoredReview) => number): number =>
    reviews.reduce((sum, one) => sum + of(one), 0);
  const faults = all((review) => review.faults.length);
  const placedFaults = all((review) => review.faults.filter(hasLines).length);
  const findings = all(({ counted }) => counted.length);
  const isJudged = reviews.every(({ byBoth }) => byBoth !== null);
  const both = isJudged ? reviews.flatMap(({ byBoth }) => byBoth?.pairs ?? []) : null;
  const withLines = both?.filter(({ fault }) => hasLines(fault)) ?? [];
  const graded = both?.filter(({ fault }) => fault.severity.length > 0) ?? [];
  const harmless = reviews.filter((review) => review.faults.length === 0);
  const recall = both === null ? null : share(both.length, faults);
  const precision =
    both === null
      ? null
      : share(
          all(({ byBoth }) => byBoth?.fitting.length ?? 0),
          findings,
        );
  return {
    recall,
    precision,
    f1: harmonicMean(recall, precision),
    lineRecall: share(
      all(({ byLine }) => byLine.pairs.length),
      placedFaults,
    ),
    linePrecision:
      placedFaults === 0
        ? null
        : share(
            all(({ byLine }) => byLine.fitting.length),
            findings,
          ),
    meaningRecall: isJudged
      ? share(
          all(({ byMeaning }) => byMeaning?.pairs.length ?? 0),
          faults,
        )
      : null,
    meaningPrecision: isJudged
      ? share(
          all(({ byMeaning }) => byMeaning?.fitting.length ?? 0),
          findings,
        )
      : null,
    exactLines: share(
      withLines.filter(({ fault, finding }) => lineDistance(finding, fault) === 0).length,
      withLines.length,
    ),
    severity: share(
      graded.filter(({ fault, finding }) => fault.severity.includes(finding.severity)).length,
      graded.length,
    ),
    quiet: share(
      harmless.filter((review) => isReviewed(review) && review.counted.length === 0).length,
      harmless.length,
    ),
  };
}

export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function harmonicMean(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return null;
  return one + other === 0 ? 0 : (2 * one * other) / (one + other);
}
