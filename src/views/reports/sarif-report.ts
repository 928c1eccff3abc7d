/**
 * Renders SARIF 2.1.0 (OASIS), with the additional requirements of GitHub code scanning: a location for every result, and
 * its limits.
 */
import { inReportOrder } from '../../events/findings.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { severities } from '../../tags/severities.ts';
import { capitalize } from '../../text/capitalize.ts';
import { pick } from '../../text/pick.ts';
import { inert } from './foreign-text.ts';
import { renderJson } from '../../text/render-json.ts';
import { isWhole } from './outcome-entry.ts';
import { notificationsOf } from './sarif-notifications.ts';
import { sarifLevels, sarifResult, sarifRule } from './sarif-result.ts';
import { summarise } from './summary.ts';

/** GitHub rejects a file with more results in one run. */
export const mostResults = 25_000;

export function renderSarifReport(report: ReviewResult): string {
  return renderJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [runOf(report)],
  });
}

function runOf(report: ReviewResult): object {
  const notifications = notificationsOf(report, mostResults);
  const ids = [...new Set(notifications.map(({ descriptor }) => descriptor.id))];
  const knowsBaseline =
    report.baseline !== undefined || report.findings.some(({ baseline }) => baseline !== undefined);
  return {
    tool: {
      driver: {
        name: 'collab',
        fullName: 'collab review',
        ...versionOf(report),
        shortDescription: { text: 'Reviews a change with a coding agent as advisor.' },
        rules: severities.map(ruleOf),
        notifications: ids.map((id) => ({ id })),
      },
    },
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
    invocations: [invocationOf(report, notifications)],
    results: inReportOrder(report.findings)
      .slice(0, mostResults)
      .map((finding) => sarifResult(finding, knowsBaseline)),
    properties: propertiesOf(report),
  };
}

/** The build that made the findings, not the one that writes the report. */
function versionOf({ collab_version }: ReviewResult): object {
  return collab_version === undefined ? {} : { version: inert(collab_version) };
}

const meanings: Readonly<Record<(typeof severities)[number], string>> = {
  critical: 'The change does damage or misses its purpose; do not merge it.',
  important: 'The change has a fault that should be fixed before merging.',
  minor: 'The change could be better here.',
};

function ruleOf(severity: (typeof severities)[number]): object {
  return {
    id: sarifRule(severity),
    name: `${capitalize(severity)}Finding`,
    shortDescription: { text: `A ${severity} finding of a code review` },
    fullDescription: { text: meanings[severity] },
    help: {
      text: `${meanings[severity]} The finding is the advisor's claim; its line was computed from the code that it quotes.`,
    },
    defaultConfiguration: { level: sarifLevels[severity] },
    properties: { tags: ['code-review'] },
  };
}

function invocationOf(report: ReviewResult, notifications: readonly object[]): object {
  return {
    executionSuccessful: isWhole(report),
    exitCode: report.exit_code,
    exitCodeDescription: inert(summarise(report).exit),
    startTimeUtc: report.started_at,
    ...(report.ended_at === null ? {} : { endTimeUtc: report.ended_at }),
    toolExecutionNotifications: notifications,
  };
}

/** Returns the outcome for programs, as in `result.json`. */
function propertiesOf(report: ReviewResult): object {
  const { files: _files, ...counts } = report.coverage;
  return {
    run_id: inert(report.run_id),
    ...pick(report, ['state', 'outcome', 'assurance', 'fail_on']),
    reasons: report.reasons.map(inert),
    coverage: counts,
  };
}
