/** What every reader of findings asks of them: which count, in which order they are told, where they are. */
import { compareSeverity } from '../tags/tags.ts';
import type { Finding } from './collab-event.ts';

/** Rejected findings, those of the baseline and suppressed ones stay listed, and do not count. */
export function countsInOutcome({ verdict, baseline, suppressed }: Finding): boolean {
  return verdict !== 'rejected' && baseline !== true && (suppressed?.expired ?? true);
}

/** Those that count first, the worst first, then by place. */
export function inReportOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (left, right) =>
      Number(countsInOutcome(right)) - Number(countsInOutcome(left)) ||
      compareSeverity(left.severity, right.severity) ||
      comparePaths(left.path, right.path) ||
      (left.start_line ?? 0) - (right.start_line ?? 0),
  );
}

/** `src/a.ts:41`, `src/a.ts:41-43`, `src/a.ts`, `(no place)`. */
export function placeOf({ path, start_line: start, end_line: end }: Finding): string {
  if (path === null) return '(no place)';
  if (start === null) return path;
  return end === null || end === start ? `${path}:${start}` : `${path}:${start}-${end}`;
}

/** Findings without a place come last; no locale, so that every machine orders alike. */
function comparePaths(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -1 : 1;
}
