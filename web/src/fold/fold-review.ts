/** Folds the rounds of a review: the plan, the findings in their latest version, and the status of each file. */
import type { CollabEvent, CollabEventOf, Finding } from '../../../src/client/run-events.ts';
import type { CoverageState, ReviewState } from '../run-state.ts';
import { createGrowingList } from './growing-list.ts';
import { createKeyedList } from './keyed-list.ts';

export interface ReviewFold {
  /** @returns the index of the round that begins with it; null if none does */
  readonly take: (event: CollabEvent) => number | null;
  readonly current: () => readonly ReviewState[];
}

export function createReviewFold(): ReviewFold {
  const past = createGrowingList<ReviewState>();
  let round: Round | null = null;
  let plannedIn: string | null = null;

  function begin(since: number, plan: ReviewState['plan']): number {
    if (round !== null) past.push(round.current());
    round = createRound({ round: past.length() + 1, since, plan });
    return past.length();
  }

  /** A plan whose step was lost is sent again; this begins no new round. */
  function take(event: CollabEventOf<'review.planned'>): number | null {
    const { seq, files, lines, skipped, chunks, step = null } = event;
    const isRepeated = round !== null && step !== null && step === plannedIn;
    plannedIn = step;
    if (isRepeated) return null;
    return begin(seq, { files, lines, skipped, chunks });
  }

  function running(since: number): Round {
    if (round === null) begin(since, null);
    return round ?? createRound({ round: 1, since, plan: null });
  }

  let shown: readonly ReviewState[] = [];
  return {
    take(event) {
      if (event.type === 'review.planned') return take(event);
      if (event.type === 'finding.reported') running(event.seq).report(event.finding);
      if (event.type === 'finding.judged') running(event.seq).judge(event);
      if (event.type === 'coverage') running(event.seq).cover(event);
      return null;
    },
    current() {
      if (round === null) return shown;
      const last = round.current();
      if (last !== shown.at(-1)) shown = [...past.current(), last];
      return shown;
    },
  };
}

interface Round {
  readonly report: (finding: Finding) => void;
  readonly judge: (event: CollabEventOf<'finding.judged'>) => void;
  readonly cover: (event: CollabEventOf<'coverage'>) => void;
  readonly current: () => ReviewState;
}

function createRound(begun: Pick<ReviewState, 'round' | 'since' | 'plan'>): Round {
  const findings = createKeyedList<Finding>(({ id }) => id);
  const coverage = createKeyedList<CoverageState>(({ path }) => path);
  let shown: ReviewState = { ...begun, findings: [], coverage: [] };

  return {
    report: (finding) => findings.put(finding.id, finding),
    judge({ id, verdict, evidence }) {
      const finding = findings.get(id);
      if (finding !== undefined) findings.put(id, { ...finding, verdict, evidence });
    },
    cover: ({ path, status, reason = null }) => coverage.put(path, { path, status, reason }),
    current() {
      const parts = { findings: findings.current(), coverage: coverage.current() };
      const isSame = parts.findings === shown.findings && parts.coverage === shown.coverage;
      if (!isSame) shown = { ...shown, ...parts };
      return shown;
    },
  };
}
