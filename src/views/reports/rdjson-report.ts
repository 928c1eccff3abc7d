/**
 * Renders reviewdog's diagnostic format: `DiagnosticResult` of its reviewdog.proto as JSON. reviewdog posts messages as
 * Markdown.
 */
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome, inReportOrder, placeOfFinding } from '../../events/findings.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import type { Severity } from '../../tags/severities.ts';
import { gradeHead } from './counted-findings.ts';
import { foreignCode, foreignText, type Block } from '../transcript/foreign-markdown.ts';
import { shorten } from './foreign-text.ts';
import { renderJson } from '../../text/render-json.ts';
import { detailBlocks } from './markdown-finding.ts';
import { bullets, paragraph, renderDocument, strong, text } from '../transcript/markdown-nodes.ts';
import { outcomeEntry } from './outcome-entry.ts';
import { linesInNewFile, oneInertLine, titleOfFinding } from './plain-finding.ts';
import { reportedPath } from './reported-path.ts';
import type { SummaryOptions } from './summary.ts';

export function renderRdjsonReport(report: ReviewResult, options: SummaryOptions = {}): string {
  return renderJson({
    source: { name: 'collab' },
    diagnostics: [
      ...outcomeDiagnostics(report, options),
      ...inReportOrder(report.findings).map(diagnosticOf),
    ],
  });
}

/**
 * Limit in characters for each foreign text in a message: a comment holds 65,536, and Markdown escapes make text longer.
 */
const longestPart = 6000;

const severities: Readonly<Record<Severity, string>> = {
  critical: 'ERROR',
  important: 'WARNING',
  minor: 'INFO',
};

function diagnosticOf(finding: Finding): object {
  const lines = linesInNewFile(finding);
  return {
    message: messageOf([
      paragraph([
        strong(text(`${gradeHead(finding)}: `), ...foreignText(shorten(finding.title, longestPart))),
      ]),
      ...(lines === null ? [paragraph([text('At: '), foreignCode(placeOfFinding(finding))])] : []),
      ...detailBlocks(shortened(finding)),
    ]),
    location: {
      path: reportedPath(finding.path),
      ...(lines === null ? {} : { range: { start: { line: lines.start }, end: { line: lines.end } } }),
    },
    severity: countsInOutcome(finding) ? severities[finding.severity] : 'INFO',
    code: { value: `collab/${finding.severity}` },
    original_output: `${oneInertLine(placeOfFinding(finding))}: ${titleOfFinding(finding)}`,
  };
}

/** Hosts limit the length of a comment, and reviewdog does not check it. */
function shortened({ body, remedy, replacement, evidence, ...finding }: Finding): Finding {
  return {
    ...finding,
    body: shorten(body, longestPart),
    ...(remedy === undefined ? {} : { remedy: shorten(remedy, longestPart) }),
    ...(replacement === undefined ? {} : { replacement: shorten(replacement, longestPart) }),
    ...(evidence === undefined ? {} : { evidence: shorten(evidence, longestPart) }),
  };
}

function outcomeDiagnostics(report: ReviewResult, options: SummaryOptions): readonly object[] {
  const entry = outcomeEntry(report, options);
  if (entry === null) return [];
  return [
    {
      message: messageOf([
        paragraph([strong(text(entry.title))]),
        bullets(entry.details.map((line) => [paragraph(foreignText(line))])),
      ]),
      location: { path: reportedPath(entry.path) },
      severity: entry.level === 'error' ? 'ERROR' : 'INFO',
      code: { value: entry.rule },
      original_output: [entry.title, ...entry.details].join('\n'),
    },
  ];
}

function messageOf(blocks: readonly Block[]): string {
  return renderDocument(blocks).trimEnd();
}
