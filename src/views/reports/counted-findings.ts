import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import { severities, type Severity } from '../../tags/tags.ts';
import { renderCount } from '../../text/quantities.ts';

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
    ...(baseline === true ? ['still there: known from the baseline, does not count'] : []),
    ...suppressionRemark(finding),
  ];
}

function suppressionRemark({ suppressed }: Finding): readonly string[] {
  if (suppressed === undefined) return [];
  const { reason, expires, expired } = suppressed;
  if (expired)
    return [`its suppression expired on ${expires ?? 'an unknown day'}, it counts again: ${reason}`];
  return [`suppressed${expires === null ? '' : ` until ${expires}`}, does not count: ${reason}`];
}

/** `critical`, or `minor (assumed)` where the advisor named none. */
export function gradeOf({ severity, severity_inferred }: Finding): string {
  return severity_inferred === true ? `${severity} (assumed)` : severity;
}

/** The same at the begin of a line. */
export function gradeHead(finding: Finding): string {
  const grade = gradeOf(finding);
  return `${grade.charAt(0).toUpperCase()}${grade.slice(1)}`;
}

/** `3 findings: 1 critical, 2 minor; 1 still there`: what does not count is no part of the sum. */
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
  const sum = counted.length === 0 ? 'no findings' : `${total}: ${bySeverity.join(', ')}`;
  return [
    counted.length === 0 && known(findings).length > 0 ? 'no findings that count' : sum,
    ...known(findings),
  ].join('; ');
}

/** Each finding once, by what first keeps it from counting; rejected ones are told where they are listed. */
function known(findings: readonly Finding[]): readonly string[] {
  const listed = findings.filter((finding) => !countsInOutcome(finding) && finding.verdict !== 'rejected');
  const still = listed.filter(({ baseline }) => baseline === true).length;
  const suppressed = listed.length - still;
  return [
    ...(still > 0 ? [`${still} still there`] : []),
    ...(suppressed > 0 ? [`${suppressed} suppressed`] : []),
  ];
}
