/** Chooses the listed findings, their order, and the next one. */
import {
  countsInOutcome,
  inReportOrder,
  type Finding,
  type Severity,
} from '../../../src/client/run-events.ts';
import { severities } from '../../../src/client/review.ts';

export interface FindingLists {
  /** Most severe first. */
  readonly counted: readonly Finding[];
  /** Rejected by the lead, known from the baseline, or suppressed: listed separately, they do not count. */
  readonly known: readonly Finding[];
}

export type SeverityCounts = Readonly<Record<Severity, number>>;

export function chooseFindings(findings: readonly Finding[], shown: ReadonlySet<Severity>): FindingLists {
  const chosen = inReportOrder(findings).filter(({ severity }) => shown.has(severity));
  return {
    counted: chosen.filter(countsInOutcome),
    known: chosen.filter((finding) => !countsInOutcome(finding)),
  };
}

/** Counts only findings that count. */
export function countSeverities(findings: readonly Finding[]): SeverityCounts {
  const counted = findings.filter(countsInOutcome);
  const [critical, important, minor] = severities.map(
    (severity) => counted.filter((finding) => finding.severity === severity).length,
  );
  return { critical: critical ?? 0, important: important ?? 0, minor: minor ?? 0 };
}

/** Returns the finding after or before the selected one, wrapping around; null if none is listed. */
export function stepTo(
  { counted, known }: FindingLists,
  selected: string | null,
  step: 1 | -1,
): string | null {
  const ids = [...counted, ...known].map(({ id }) => id);
  const at = selected === null ? -1 : ids.indexOf(selected);
  const next = at === -1 ? (step === 1 ? 0 : ids.length - 1) : (at + step + ids.length) % ids.length;
  return ids[next] ?? null;
}
