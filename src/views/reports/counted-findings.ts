import type { Finding, UnusableReplacement } from '../../events/collab-event.ts';
import { countsInOutcome, decidesExit, isBesideTheChange } from '../../events/findings.ts';
import { severities, type Severity } from '../../tags/severities.ts';
import { capitalize } from '../../text/capitalize.ts';
import { renderCount } from '../../text/quantities.ts';

/** Returns remarks on a finding that go beyond its claim. */
export function remarksOn(finding: Finding): readonly string[] {
  const { verdict, evidence, placement, side, baseline, known_as, source } = finding;
  const { judged_by: by = 'lead', replacement_unused: unused } = finding;
  const because = evidence === undefined ? '' : `: ${evidence}`;
  return [
    ...(source?.startsWith('tool:') === true ? [`found by ${source.slice('tool:'.length)}`] : []),
    ...(side === 'old' ? ['on a removed line; the line number is the old one'] : []),
    ...(isBesideTheChange(finding)
      ? ['in a file outside the change; does not count until it is confirmed']
      : []),
    ...(placement === 'unplaced' && finding.path !== null ? ['its quotation is not in the change'] : []),
    ...(unused === undefined ? [] : [`its replacement does not count: ${unusedBecause[unused]}`]),
    ...(verdict === 'confirmed' ? [`confirmed by the ${by}${because}`] : []),
    ...(verdict === 'disputed' ? [`disputed by the ${by}, but counts${because}`] : []),
    ...(verdict === 'rejected' ? [`rejected by the ${by}, does not count${because}`] : []),
    ...(known_as === undefined ? [] : [`was ${known_as} before and is worse now: it counts`]),
    ...(baseline === true ? ['still there: known from the baseline, does not count'] : []),
    ...suppressionRemark(finding),
  ];
}

const unusedBecause: Readonly<Record<UnusableReplacement, string>> = {
  masked: 'it contains a masked value',
  quotation: 'the lines that it replaces were not found exactly',
  unclear: 'it has marks of a diff, line numbers, omissions or invisible characters',
};

/** `data loss`; null if the advisor named no class. */
export function claimOf({ claim }: Pick<Finding, 'claim'>): string | null {
  return claim?.replaceAll('_', ' ') ?? null;
}

function suppressionRemark({ suppressed }: Finding): readonly string[] {
  if (suppressed === undefined) return [];
  const { reason, expires, expired } = suppressed;
  if (expired)
    return [`its suppression expired on ${expires ?? 'an unknown day'}, it counts again: ${reason}`];
  return [`suppressed${expires === null ? '' : ` until ${expires}`}, does not count: ${reason}`];
}

/** `critical`, or `minor (assumed)` if the advisor named none. */
export function gradeOf({ severity, severity_inferred }: Finding): string {
  return severity_inferred === true ? `${severity} (assumed)` : severity;
}

/** Returns the same for the beginning of a line. */
export function gradeHead(finding: Finding): string {
  return capitalize(gradeOf(finding));
}

/** `3 findings: 1 critical, 2 minor; 1 still there`: findings that do not count are not in the sum. */
export function countFindings(findings: readonly Finding[]): string {
  const counted = findings.filter(decidesExit);
  const beside = findings.filter((finding) => countsInOutcome(finding) && isBesideTheChange(finding)).length;
  const bySeverity = severities
    .map((severity): [Severity, number] => [
      severity,
      counted.filter((item) => item.severity === severity).length,
    ])
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`);
  if (counted.length === 0) return [noneCounted(beside, known(findings)), ...known(findings)].join('; ');
  return [
    `${renderCount(counted.length, 'finding')}: ${bySeverity.join(', ')}`,
    ...(beside > 0 ? [`${beside} outside the change`] : []),
    ...known(findings),
  ].join('; ');
}

function noneCounted(beside: number, known: readonly string[]): string {
  if (beside > 0) return `${renderCount(beside, 'finding')} outside the change`;
  return known.length > 0 ? 'no findings that count' : 'no findings';
}

/** Counts each finding once, by the first reason why it does not count; rejected ones are reported in their list. */
function known(findings: readonly Finding[]): readonly string[] {
  const listed = findings.filter((finding) => !countsInOutcome(finding) && finding.verdict !== 'rejected');
  const still = listed.filter(({ baseline }) => baseline === true).length;
  const suppressed = listed.length - still;
  return [
    ...(still > 0 ? [`${still} still there`] : []),
    ...(suppressed > 0 ? [`${suppressed} suppressed`] : []),
  ];
}
