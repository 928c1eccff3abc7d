import { cutToWidth, wrapToWidth } from '../../text/display-width.ts';
import { onOneLine } from '../../text/one-line.ts';
import { breakJobCommands } from '../../text/job-commands.ts';
import { createPaint, type Paint } from '../../text/paint.ts';
import { renderCount } from '../../text/quantities.ts';
import { inReportOrder } from '../../events/findings.ts';
import { printable } from './foreign-text.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import type { ReportedFile } from './summary.ts';
import { filesWith, summarise } from './summary.ts';
import { findingTable } from './finding-table.ts';
import { renderFinding, renderProse, type ProseStyle } from './terminal-finding.ts';
import type { ReportOptions } from './report-formats.ts';

export interface TerminalReportOptions extends Pick<
  ReportOptions,
  'columns' | 'ascii' | 'remote' | 'contextOf' | 'look'
> {
  /** Default false: the same characters without escape sequences. */
  readonly color?: boolean;
}

/** Number of strengths and suggestions that a terminal shows; the other formats hold them all. */
const shownItems = 3;

/** With more files than this, each reason is listed once, with its count. */
const namedFiles = 20;

/**
 * Renders the review for a person at a terminal: findings first, and as the last lines the outcome and the next action.
 */
export function renderTerminalReport(report: ReviewResult, options: TerminalReportOptions): string {
  const { color = false, ascii = false, remote = '', contextOf = noContext, look } = options;
  const columns = Math.max(20, options.columns);
  const paint = createPaint(color);
  const blocks = [
    ...inReportOrder(report.findings).map((finding) =>
      renderFinding(finding, { columns, paint, contextOf, look }),
    ),
    renderFiles('Not reviewed', filesWith(report, 'failed'), columns),
    renderFiles('Skipped', filesWith(report, 'skipped'), columns),
    renderItems('Suggestions', report.suggestions, { columns, paint, look }),
    renderItems('Strengths', report.strengths, { columns, paint, look }),
    look?.table === true ? findingTable(report.findings, columns, paint) : [],
    renderSummary(report, { columns, paint, remote }),
  ].filter((lines) => lines.length > 0);
  // Wrapping may have moved a `::` to the beginning of a line.
  const text = breakJobCommands(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`);
  return ascii ? text.replaceAll(' — ', ' - ') : text;
}

function noContext(): readonly [] {
  return [];
}

function renderFiles(title: string, files: readonly ReportedFile[], columns: number): readonly string[] {
  if (files.length === 0) return [];
  const lines = files.length > namedFiles ? countReasons(files) : files.map(nameWithReason);
  return [`${title}:`, ...lines.flatMap((line) => indented(line, columns))];
}

function nameWithReason({ path, reason }: ReportedFile): string {
  return reason === undefined ? path : `${path}: ${reason}`;
}

function countReasons(files: readonly ReportedFile[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { reason = 'no reason given' } of files) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${renderCount(count, 'file')}: ${reason}`);
}

function renderItems(title: string, items: readonly string[], style: ProseStyle): readonly string[] {
  if (items.length === 0) return [];
  const shown = items
    .slice(0, shownItems)
    .flatMap((item) => renderItem(cutToWidth(item, 3 * style.columns), style));
  const more = items.length - shownItems;
  return [`${title}:`, ...shown, ...(more > 0 ? [`  and ${more} more (--format markdown)`] : [])];
}

function renderItem(text: string, style: ProseStyle): readonly string[] {
  return renderProse(onOneLine(printable(text)), style, { first: '  ', rest: '    ' });
}

function indented(text: string, columns: number): readonly string[] {
  return renderItem(text, { columns, paint: createPaint(false) });
}

interface SummaryStyle {
  readonly columns: number;
  readonly paint: Paint;
  readonly remote: string;
}

function renderSummary(report: ReviewResult, { columns, paint, remote }: SummaryStyle): readonly string[] {
  const { headline, coverage, assurance, reasons, known, covered, usage, exit, next } = summarise(report, {
    remote,
  });
  const head = wrapToWidth(headline, columns).map((line) => paint.bold(paint[headColor(report)](line)));
  return [
    ...head,
    ...[...reasons, ...known, ...covered].flatMap((line) => indented(line, columns)),
    ...[coverage, assurance, ...usage, exit, `next: ${next}`].flatMap((line) => indented(line, columns)),
  ];
}

const headColors = {
  clean: 'green',
  findings: 'yellow',
  nothing_reviewed: 'yellow',
  incomplete: 'yellow',
  failed: 'red',
} as const;

function headColor({ outcome, state }: ReviewResult): 'red' | 'green' | 'yellow' {
  if (state !== 'ended') return 'yellow';
  if (outcome === null) return 'green';
  return headColors[outcome];
}
