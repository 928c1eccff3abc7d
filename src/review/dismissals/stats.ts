/** Counts what became of reported findings: the precision of rules, classes and folders. */
import { posix } from 'node:path';
import type { Finding } from '../../events/collab-event.ts';
import { groupBy } from '../group-by.ts';
import type { Dismissal } from './dismissal.ts';

export interface FindingCounts {
  /** Different findings, by identity. */
  readonly reported: number;
  /** Confirmed by the lead, or by the advisor in a fresh thread. */
  readonly confirmed: number;
  readonly rejected: number;
  /** Dismissed or suppressed by a person. */
  readonly dismissed: number;
  /** The share that is neither rejected nor dismissed, from 0 to 1; null if none was reported. */
  readonly precision: number | null;
}

export interface NamedCounts extends FindingCounts {
  readonly name: string;
}

export interface FindingStats extends FindingCounts {
  /** Dismissals of findings that none of the results has. */
  readonly dismissed_elsewhere: number;
  /** Rules, and `no rule` for findings of models alone; the worst precision first, like the others. */
  readonly by_rule: readonly NamedCounts[];
  /** Classes, and `no class`. */
  readonly by_claim: readonly NamedCounts[];
  /** Folders, and `no path`. */
  readonly by_path: readonly NamedCounts[];
}

/** `results`: the findings of each review, the newest first; the newest verdict on a finding counts. */
export function countFates(
  results: readonly (readonly Finding[])[],
  dismissals: readonly Dismissal[],
): FindingStats {
  const found = new Map<string, Finding>();
  for (const finding of results.flat())
    if (!found.has(finding.identity)) found.set(finding.identity, finding);
  const suppressed = results.flat().filter((finding) => finding.suppressed?.expired === false);
  const dismissed = new Set([...dismissals, ...suppressed].map(({ identity }) => identity));
  const all = [...found.values()];
  const by = (nameOf: (finding: Finding) => string): readonly NamedCounts[] =>
    [...groupBy(all, nameOf)]
      .map(([name, findings]) => ({ name, ...count(findings, dismissed) }))
      .toSorted(worstFirst);
  return {
    ...count(all, dismissed),
    dismissed_elsewhere: dismissals.filter(({ identity }) => !found.has(identity)).length,
    by_rule: by(({ source }) => source?.replace(/^rule:/, '') ?? 'no rule'),
    by_claim: by(({ claim }) => claim ?? 'no class'),
    by_path: by(({ path }) => (path === null ? 'no path' : posix.dirname(path))),
  };
}

function count(findings: readonly Finding[], dismissed: ReadonlySet<string>): FindingCounts {
  const isDismissed = ({ identity }: Finding): boolean => dismissed.has(identity);
  const wrong = findings.filter((finding) => isDismissed(finding) || finding.verdict === 'rejected');
  const reported = findings.length;
  return {
    reported,
    confirmed: findings.filter(({ verdict }) => verdict === 'confirmed').length,
    rejected: findings.filter(({ verdict }) => verdict === 'rejected').length,
    dismissed: findings.filter(isDismissed).length,
    precision: reported === 0 ? null : (reported - wrong.length) / reported,
  };
}

function worstFirst(one: NamedCounts, other: NamedCounts): number {
  return (
    (one.precision ?? 1) - (other.precision ?? 1) ||
    other.reported - one.reported ||
    (one.name < other.name ? -1 : 1)
  );
}
