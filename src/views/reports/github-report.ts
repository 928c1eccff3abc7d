/**
 * Renders the log of a GitHub Actions step: annotations by workflow commands, which need no token, and as plain lines the
 * findings that GitHub would no longer show.
 */
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome, inReportOrder, placeOfFinding } from '../../events/findings.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import type { Severity } from '../../tags/severities.ts';
import { breakJobCommands } from '../../text/job-commands.ts';
import { renderCount } from '../../text/quantities.ts';
import { shorten } from './foreign-text.ts';
import { outcomeEntry } from './outcome-entry.ts';
import { detailsOf, linesInNewFile, oneInertLine, titleOfFinding } from './plain-finding.ts';
import { pathInside } from '../../text/path-inside.ts';
import { reportedPath } from './reported-path.ts';
import { summarise, type SummaryOptions } from './summary.ts';
import { longestMessage, longestTitle, renderWorkflowCommand, type Annotation } from './workflow-command.ts';

/** Annotations of each kind that GitHub keeps per step; it silently drops further ones. */
const keptOfKind = 10;

export function renderGithubReport(report: ReviewResult, options: SummaryOptions = {}): string {
  const outcome = outcomeAnnotations(report, options);
  const { shown, rest } = share(inReportOrder(report.findings), outcome);
  return [
    ...[...outcome, ...shown.map(annotationOf)].map(renderWorkflowCommand),
    ...moreLines(rest),
    ...summaryLines(report, options),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Takes the most severe findings, as many of each kind as GitHub keeps in addition to the earlier ones. */
function share(findings: readonly Finding[], before: readonly Annotation[]) {
  const taken = { error: 0, warning: 0, notice: 0 };
  for (const { kind } of before) taken[kind] += 1;
  const shown: Finding[] = [];
  const rest: Finding[] = [];
  for (const finding of findings) {
    const kind = kindOf(finding);
    taken[kind] += 1;
    (taken[kind] <= keptOfKind ? shown : rest).push(finding);
  }
  return { shown, rest };
}

const kinds: Readonly<Record<Severity, Annotation['kind']>> = {
  critical: 'error',
  important: 'warning',
  minor: 'notice',
};

function kindOf(finding: Finding): Annotation['kind'] {
  return countsInOutcome(finding) ? kinds[finding.severity] : 'notice';
}

function annotationOf(finding: Finding): Annotation {
  const lines = linesInNewFile(finding);
  return annotate(kindOf(finding), [titleOfFinding(finding), ...detailsOf(finding)], {
    ...(pathInside(finding.path) === null ? {} : { file: breakJobCommands(reportedPath(finding.path)) }),
    ...(lines === null ? {} : { line: lines.start, endLine: lines.end }),
  });
}

function outcomeAnnotations(report: ReviewResult, options: SummaryOptions): readonly Annotation[] {
  const entry = outcomeEntry(report, options);
  if (entry === null) return [];
  return [annotate(entry.level === 'error' ? 'error' : 'notice', [entry.title, ...entry.details], {})];
}

/** A title that is too long is repeated in full in the message, and so is one without details. */
function annotate(
  kind: Annotation['kind'],
  [title = '', ...details]: readonly string[],
  place: Pick<Annotation, 'file' | 'line' | 'endLine'>,
): Annotation {
  const said = title.length > longestTitle || details.length === 0 ? [title, ...details] : details;
  return {
    kind,
    title: shorten(title, longestTitle),
    message: shorten(said.join('\n'), longestMessage),
    ...place,
  };
}

function moreLines(rest: readonly Finding[]): readonly string[] {
  if (rest.length === 0) return [];
  const count = renderCount(rest.length, 'more finding');
  return [
    `::group::collab: ${count} without an annotation: GitHub keeps ${keptOfKind} errors, ${keptOfKind} warnings and ${keptOfKind} notices of a step`,
    ...rest.flatMap((finding) => [
      `  ${oneInertLine(placeOfFinding(finding))}: ${titleOfFinding(finding)}`,
      ...detailsOf(finding).map((line) => `    ${line.replaceAll('\n', '\n    ')}`),
    ]),
    '::endgroup::',
  ];
}

/**
 * Renders the log lines below the annotations. The space is for the reader: the runner trims it, and finds `##[`
 * anywhere. No line becomes a command because `oneInertLine` breaks the marks themselves.
 */
function summaryLines(report: ReviewResult, options: SummaryOptions): readonly string[] {
  const { headline, coverage, assurance, reasons, known, covered, usage, exit, next } = summarise(
    report,
    options,
  );
  const lines = [...reasons, ...known, ...covered, coverage, assurance, ...usage, exit, `next: ${next}`].map(
    oneInertLine,
  );
  return [`collab review: ${headline}`, ...lines.map((line) => `  ${line}`)];
}
