/** Compares the findings of one review with the known faults of its change: by line, by meaning, and by both. Pure. */
import type { Finding } from '../../../src/events/collab-event.ts';
import type { KnownFault } from '../sets/benchmark-set.ts';

/** A finding within this many lines of a fault is at its place. */
export const nearLines = 3;

export type FindingPlace = Pick<Finding, 'path' | 'start_line' | 'end_line' | 'side'>;

/** Returns the ids of the faults that a finding is about; null if that was not judged. */
export type SameFaults<Scored> = (finding: Scored) => ReadonlySet<string> | null;

export interface Match<Scored> {
  readonly fault: KnownFault;
  readonly finding: Scored;
}

export interface Matches<Scored> {
  /** Each fault and each finding is in one match at most; as many as possible. */
  readonly pairs: readonly Match<Scored>[];
  /** Findings that fit a fault, including further ones of a fault that is already matched. */
  readonly fitting: readonly Scored[];
}

export interface ChangeMatches<Scored> {
  /** Of the faults with lines. */
  readonly byLine: Matches<Scored>;
  /** Null if the meaning was not judged. */
  readonly byMeaning: Matches<Scored> | null;
  /** Meaning and place; of a fault without lines, the meaning alone. */
  readonly byBoth: Matches<Scored> | null;
}

export function matchFaults<Scored extends FindingPlace>(
  faults: readonly KnownFault[],
  findings: readonly Scored[],
  same: SameFaults<Scored>,
): ChangeMatches<Scored> {
  const judged = new Map(findings.map((finding) => [finding, same(finding)]));
  const means = (finding: Scored, { id }: KnownFault): boolean => judged.get(finding)?.has(id) === true;
  const isNear = (finding: Scored, fault: KnownFault): boolean => lineDistance(finding, fault) <= nearLines;
  const isJudged = [...judged.values()].every((ids) => ids !== null);
  return {
    byLine: match(faults, findings, isNear),
    byMeaning: isJudged ? match(faults, findings, means) : null,
    byBoth: isJudged
      ? match(
          faults,
          findings,
          (finding, fault) => means(finding, fault) && (!hasLines(fault) || isNear(finding, fault)),
        )
      : null,
  };
}

export function hasLines({ path, start_line: start }: KnownFault): boolean {
  return path !== null && start !== null;
}

/** Returns the number of lines between the two: 0 if they share one, infinite in different files and without lines. */
export function lineDistance(finding: FindingPlace, fault: KnownFault): number {
  if (fault.path === null || finding.path !== fault.path || (finding.side ?? 'new') !== fault.side)
    return Infinity;
  if (finding.start_line === null || finding.end_line === null) return Infinity;
  if (fault.start_line === null || fault.end_line === null) return Infinity;
  return Math.max(0, fault.start_line - finding.end_line, finding.start_line - fault.end_line);
}

/** The largest matching, by augmenting paths; nearer findings are tried first. */
function match<Scored extends FindingPlace>(
  faults: readonly KnownFault[],
  findings: readonly Scored[],
  fits: (finding: Scored, fault: KnownFault) => boolean,
): Matches<Scored> {
  const owner = new Map<Scored, KnownFault>();
  const candidates = new Map(
    faults.map((fault) => [
      fault,
      findings
        .filter((finding) => fits(finding, fault))
        .toSorted((one, other) => order(lineDistance(one, fault), lineDistance(other, fault))),
    ]),
  );
  const assign = (fault: KnownFault, tried: Set<Scored>): boolean =>
    (candidates.get(fault) ?? []).some((finding) => {
      if (tried.has(finding)) return false;
      tried.add(finding);
      const former = owner.get(finding);
      if (former !== undefined && !assign(former, tried)) return false;
      owner.set(finding, fault);
      return true;
    });
  for (const fault of faults) assign(fault, new Set());
  const fitting = new Set([...candidates.values()].flat());
  return {
    pairs: [...owner].map(([finding, fault]) => ({ fault, finding })),
    fitting: findings.filter((finding) => fitting.has(finding)),
  };
}

/** Two infinite distances are equal. */
function order(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
