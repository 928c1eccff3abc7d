/** The rules that all readers of findings share: which ones count, their order, their places. */
import { compareSeverity } from '../tags/severities.ts';
import type { Finding } from './collab-event.ts';

/** Returns false for findings that are rejected, suppressed or in the baseline; they stay listed. */
export function countsInOutcome({ verdict, baseline, suppressed }: Finding): boolean {
  return verdict !== 'rejected' && baseline !== true && (suppressed?.expired ?? true);
}

/** Returns true for an unconfirmed finding in a file outside the change; such findings are listed separately. */
export function isBesideTheChange({ outside_change, verdict }: Finding): boolean {
  return outside_change === true && verdict !== 'confirmed';
}

/** Returns true if its severity may decide the exit code. */
export function decidesExit(finding: Finding): boolean {
  return countsInOutcome(finding) && !isBesideTheChange(finding);
}

/**
 * Sorts findings that decide the exit code first, then those outside the change, then those that do not count; each group by
 * severity, worst first, then by place.
 */
export function inReportOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (left, right) =>
      Number(countsInOutcome(right)) - Number(countsInOutcome(left)) ||
      Number(decidesExit(right)) - Number(decidesExit(left)) ||
      compareSeverity(left.severity, right.severity) ||
      comparePaths(left.path, right.path) ||
      (left.start_line ?? 0) - (right.start_line ?? 0),
  );
}

/** `src/a.ts:41`, `src/a.ts:41-43`, `src/a.ts`, `(no place)`. */
export function placeOfFinding({ path, start_line: start, end_line: end }: Finding): string {
  if (path === null) return '(no place)';
  if (start === null) return path;
  return end === null || end === start ? `${path}:${start}` : `${path}:${start}-${end}`;
}

/** Sorts findings without a place last. Uses no locale, so that every machine sorts the same way. */
function comparePaths(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -1 : 1;
}
