import type { PhrasingContent } from 'mdast';
import type { Finding } from '../events/collab-event.ts';
import { inReportOrder, placeOf } from '../events/findings.ts';
import { remarksOn } from './counted-findings.ts';
import { codeBlock, foreignBlocks, foreignCode, foreignText, type Block } from './foreign-markdown.ts';
import { bullets, heading, paragraph, renderDocument, text } from './markdown-nodes.ts';
import type { AgentUsage } from '../review/usage.ts';
import { usageTable } from './usage-table.ts';
import type { ReviewResult } from '../review/result.ts';
import type { ReportedFile } from './summary.ts';
import { filesWith, summarise } from './summary.ts';

/** The review as a Markdown document, for a comment or a file. Foreign text cannot link, notify or inject HTML. */
export function renderMarkdownReport(report: ReviewResult): string {
  return renderDocument([
    ...summaryBlocks(report),
    ...findingBlocks(report.findings),
    ...fileBlocks('Not reviewed', filesWith(report, 'failed')),
    ...fileBlocks('Skipped', filesWith(report, 'skipped')),
    ...itemBlocks('Suggestions', report.suggestions),
    ...itemBlocks('Strengths', report.strengths),
    ...usageBlocks(report.usage_by),
  ]);
}

function summaryBlocks(report: ReviewResult): readonly Block[] {
  const { headline, coverage, assurance, reasons, known, usage, exit, next } = summarise(report);
  return [
    heading(1, [text(`Code review: ${headline}`)]),
    bullets([
      ...[...reasons, ...known].map((line) => [paragraph(foreignText(line))]),
      ...[coverage, assurance, ...usage, exit, `next: ${next}`].map((line) => [paragraph([text(line)])]),
    ]),
  ];
}

function findingBlocks(findings: readonly Finding[]): readonly Block[] {
  if (findings.length === 0) return [];
  return [heading(2, [text('Findings')]), ...inReportOrder(findings).flatMap(oneFinding)];
}

function oneFinding(finding: Finding): readonly Block[] {
  const severity = `${finding.severity.charAt(0).toUpperCase()}${finding.severity.slice(1)}`;
  const grade = finding.severity_inferred === true ? `${severity} (assumed)` : severity;
  return [
    heading(3, [text(`${grade}: `), ...foreignText(finding.title)]),
    paragraph([foreignCode(placeOf(finding))]),
    ...(finding.quote === null
      ? []
      : [codeBlock(finding.quote.replace(/\n$/, ''), languageOf(finding.path))]),
    ...labelled('Why', finding.body),
    ...labelled('Fix', finding.remedy ?? ''),
    ...remarksOn(finding).flatMap((remark) => labelled('Note', remark)),
  ];
}

/** The label stands before the first paragraph, or on its own where the text begins with code or a list. */
function labelled(label: string, markdown: string): readonly Block[] {
  const [first, ...rest] = foreignBlocks(markdown);
  if (first === undefined) return [];
  const mark: PhrasingContent = { type: 'strong', children: [text(`${label}:`)] };
  if (first.type !== 'paragraph') return [paragraph([mark]), first, ...rest];
  return [paragraph([mark, text(' '), ...first.children]), ...rest];
}

/** An extension that names its own language; anything else stays uncoloured. */
function languageOf(path: string | null): string | null {
  return /\.([a-z0-9]{1,10})$/i.exec(path ?? '')?.[1] ?? null;
}

function fileBlocks(title: string, files: readonly ReportedFile[]): readonly Block[] {
  if (files.length === 0) return [];
  const items = files.map(({ path, reason }) => [
    paragraph([foreignCode(path), ...(reason === undefined ? [] : [text(': '), ...foreignText(reason)])]),
  ]);
  return [heading(2, [text(title)]), bullets(items)];
}

function itemBlocks(title: string, items: readonly string[]): readonly Block[] {
  const blocks = items.map(foreignBlocks).filter((item) => item.length > 0);
  return blocks.length === 0 ? [] : [heading(2, [text(title)]), bullets(blocks)];
}

function usageBlocks(rows: readonly AgentUsage[]): readonly Block[] {
  return rows.length === 0 ? [] : [heading(2, [text('Usage')]), usageTable(rows)];
}
