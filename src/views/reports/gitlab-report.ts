/**
 * Renders GitLab's Code Quality report: a list of entries, which the merge request compares with that of its target
 * branch.
 */
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome, inReportOrder } from '../../events/findings.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import type { Severity } from '../../tags/severities.ts';
import { shorten } from './foreign-text.ts';
import { renderJson } from '../../text/render-json.ts';
import { outcomeEntry } from './outcome-entry.ts';
import { detailsOf, linesInNewFile, titleOfFinding } from './plain-finding.ts';
import { onOneLine } from '../../text/one-line.ts';
import { reportedPath } from './reported-path.ts';
import type { SummaryOptions } from './summary.ts';

/** Limit of a description in characters: one line in a list. */
const longestDescription = 4096;

export function renderGitlabReport(report: ReviewResult, options: SummaryOptions = {}): string {
  const findings = inReportOrder(report.findings);
  return renderJson([...outcomeIssues(report, options), ...findings.map(issueOf)]);
}

const severities: Readonly<Record<Severity, string>> = {
  critical: 'critical',
  important: 'major',
  minor: 'minor',
};

function issueOf(finding: Finding, index: number, all: readonly Finding[]): object {
  const earlier = all.slice(0, index).filter(({ identity }) => identity === finding.identity).length;
  return {
    description: describe([titleOfFinding(finding), ...detailsOf(finding)]),
    check_name: `collab/${finding.severity}`,
    // GitLab shows only one of several entries with the same fingerprint.
    fingerprint: earlier === 0 ? finding.identity : `${finding.identity}-${earlier + 1}`,
    severity: countsInOutcome(finding) ? severities[finding.severity] : 'info',
    location: locationOf(finding.path, linesInNewFile(finding)?.start ?? 1),
  };
}

/** The run is part of the fingerprint: an unreviewed target branch must not hide an unreviewed change. */
function outcomeIssues(report: ReviewResult, options: SummaryOptions): readonly object[] {
  const entry = outcomeEntry(report, options);
  if (entry === null) return [];
  return [
    {
      description: describe([entry.title, ...entry.details]),
      check_name: entry.rule,
      fingerprint: `${entry.rule}/${report.run_id}`,
      severity: entry.level === 'error' ? 'blocker' : 'info',
      location: locationOf(entry.path, 1),
    },
  ];
}

/** The format has only one line of text, and each entry needs a file and a line. */
function describe(lines: readonly string[]): string {
  return shorten(
    onOneLine(lines.map((line) => line.replace(/([^.!?:])$/, '$1.')).join(' ')),
    longestDescription,
  );
}

function locationOf(path: string | null, line: number): object {
  return { path: reportedPath(path), lines: { begin: line } };
}
