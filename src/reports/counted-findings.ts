import type { Finding } from '../events/collab-event.ts';
import { countsInOutcome } from '../events/findings.ts';
import { severities, type Severity } from '../tags/tags.ts';
import { renderCount } from '../wire/quantities.ts';

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
