/** The share of findings that recur when the same change is reviewed again. Pure. */
import type { Finding } from '../../../src/events/collab-event.ts';
import { matchFindings } from '../../../src/review/findings/match-findings.ts';
import { nearLines } from './match-faults.ts';
import { share } from './score-run.ts';

export interface Stability {
  /** The same claim at the same anchor, as a baseline recognizes it. */
  readonly sameFinding: number | null;
  /** At the same place, with any claim. */
  readonly samePlace: number | null;
}

/** `runs` has, for each change, the findings of each run. Each pair of runs of a change is compared. */
export function stabilityOf(changes: readonly (readonly (readonly Finding[])[])[]): Stability {
  let [findings, same, placed] = [0, 0, 0];
  for (const [one, other] of changes.flatMap(pairsOf)) {
    findings += one.length + other.length;
    same += 2 * matchFindings(one, other).length;
    placed += countNear(one, other) + countNear(other, one);
  }
  return { sameFinding: share(same, findings), samePlace: share(placed, findings) };
}

function pairsOf<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other) => [one, other] as const));
}

function countNear(findings: readonly Finding[], others: readonly Finding[]): number {
  return findings.filter((finding) => others.some((other) => isNear(finding, other))).length;
}

function isNear(one: Finding, other: Finding): boolean {
  if (one.path !== other.path || one.side !== other.side) return false;
  if (one.start_line === null || one.end_line === null) return other.start_line === null;
  if (other.start_line === null || other.end_line === null) return false;
  return Math.max(other.start_line - one.end_line, one.start_line - other.end_line) <= nearLines;
}
