import type { Finding } from '../events/collab-event.ts';
import { countsInOutcome } from '../review/outcome.ts';
import { compareSeverity, severities, type Severity } from '../tags/tags.ts';
import { renderCount } from '../wire/quantities.ts';

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

/** Findings without a place come last; no locale, so that every machine orders alike. */
function comparePaths(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -1 : 1;
}

/** `src/a.ts:41`, `src/a.ts:41-43`, `src/a.ts`, `(no place)`. */
export function placeOf({ path, start_line: start, end_line: end }: Finding): string {
  if (path === null) return '(no place)';
  if (start === null) return path;
  return end === null || end === start ? `${path}:${start}` : `${path}:${start}-${end}`;
}

/** What a reader should know about a finding besides its claim. */
export function remarksOn(finding: Finding): readonly string[] {
  const { verdict, evidence, placement, side, baseline } = finding;
  const because = evidence === undefined ? '' : `: ${evidence}`;
  return [
    ...(side === 'old' ? ['on a removed line; the line number is the old one'] : []),
    ...(placement === 'unplaced' && finding.path !== null ? ['its quotation is not in the change'] : []),
    ...(verdict === 'confirmed' ? [`confirmed by the lead${because}`] : []),
    ...(verdict === 'disputed' ? [`disputed by the lead, counts all the same${because}`] : []),
    ...(verdict === 'rejected' ? [`rejected by the lead, does not count${because}`] : []),
    ...(baseline === true ? ['known from the baseline, does not count'] : []),
  ];
}

/** `3 findings: 1 critical, 2 minor`; what does not count is left out. */
export function countFindings(findings: readonly Finding[]): string {
  const counted = findings.filter(countsInOutcome);
  const bySeverity = severities
    .map((severity): [Severity, number] => [
      severity,
      counted.filter((item) => item.severity === severity).length,
    ])
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`);
  const total = renderCount(counted.length, 'finding');
  return counted.length === 0 ? 'no findings' : `${total}: ${bySeverity.join(', ')}`;
}
