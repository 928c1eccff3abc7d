import { inReportOrder } from '../../events/findings.ts';
import type { AgentUsage } from '../../review/outcome/usage.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { fitMarkdown } from './fit-markdown.ts';
import { foreignBlocks, foreignCode, foreignText, type Block } from '../transcript/foreign-markdown.ts';
import { shorten } from './foreign-text.ts';
import { findingBlocks } from './markdown-finding.ts';
import {
  bullets,
  heading,
  htmlComment,
  paragraph,
  renderDocument,
  text,
} from '../transcript/markdown-nodes.ts';
import { filesWith, summarise, type ReportedFile, type SummaryOptions } from './summary.ts';
import { usageTable } from '../transcript/usage-table.ts';

/** The mark by which the next run finds the last run's comment and replaces it. Foreign text cannot contain it. */
const commentMark = 'collab:review';

/** GitHub accepts comments of 65,536 characters, GitLab longer ones; the poster may need a line of its own. */
const longestComment = 65_000;

/** In a shortened document: how many unreviewed files are named, and how long a reason may be. */
const namedFiles = 50;
const longestReason = 500;

/**
 * Renders the review as a Markdown document, for a comment or a file. Foreign text cannot link, notify or inject HTML.
 */
export function renderMarkdownReport(report: ReviewResult, options: SummaryOptions = {}): string {
  return renderWithin(report, options, (text) => longestComment - text.length);
}

export interface StepSummaryOptions extends SummaryOptions {
  readonly mostBytes: number;
}

/** Renders the same for a job summary, which has a limit in bytes. */
export function renderStepSummary(
  report: ReviewResult,
  { mostBytes, ...options }: StepSummaryOptions,
): string {
  return renderWithin(report, options, (text) => mostBytes - Buffer.byteLength(text));
}

/** `room`: the room left after a text; negative if it is too long. */
function renderWithin(report: ReviewResult, options: SummaryOptions, room: (text: string) => number): string {
  const whole = isFarTooLong(report, room) ? null : renderWhole(report, options);
  if (whole !== null && room(whole) >= 0) return whole;
  const failed = filesWith(report, 'failed');
  return fitMarkdown({
    head: renderDocument([htmlComment(commentMark), ...summaryBlocks(report, options, longestReason)]),
    findings: inReportOrder(report.findings),
    findingsHead: renderDocument([findingsHead]),
    tail: renderDocument(fileBlocks('Not reviewed', failed.slice(0, namedFiles), failed.length)),
    room,
  });
}

/** Rendering takes time; this much foreign text alone is certainly too long. */
function isFarTooLong({ findings }: ReviewResult, room: (text: string) => number): boolean {
  return findings.reduce((sum, { title, body }) => sum + title.length + body.length, 0) > room('');
}

function renderWhole(report: ReviewResult, options: SummaryOptions): string {
  return renderDocument([
    htmlComment(commentMark),
    ...summaryBlocks(report, options, Infinity),
    ...(report.findings.length === 0 ? [] : [findingsHead]),
    ...inReportOrder(report.findings).flatMap((finding) => findingBlocks(finding)),
    ...fileBlocks('Not reviewed', filesWith(report, 'failed')),
    ...fileBlocks('Skipped', filesWith(report, 'skipped')),
    ...itemBlocks('Suggestions', report.suggestions),
    ...itemBlocks('Strengths', report.strengths),
    ...usageBlocks(report.usage_by),
  ]);
}

const findingsHead = heading(2, [text('Findings')]);

function summaryBlocks(
  report: ReviewResult,
  options: SummaryOptions,
  mostCharacters: number,
): readonly Block[] {
  const { headline, coverage, assurance, reasons, known, covered, usage, exit, next } = summarise(
    report,
    options,
  );
  const told = [...reasons, ...known, ...covered, coverage, assurance, ...usage, exit, `next: ${next}`];
  return [
    heading(1, [text(`Code review: ${headline}`)]),
    bullets(told.map((line) => [paragraph(foreignText(shorten(line, mostCharacters)))])),
  ];
}

function fileBlocks(title: string, files: readonly ReportedFile[], all = files.length): readonly Block[] {
  if (files.length === 0) return [];
  const items = files.map(({ path, reason }) => [
    paragraph([foreignCode(path), ...(reason === undefined ? [] : [text(': '), ...foreignText(reason)])]),
  ]);
  const rest = all > files.length ? [[paragraph([text(`and ${all - files.length} more`)])]] : [];
  return [heading(2, [text(title)]), bullets([...items, ...rest])];
}

function itemBlocks(title: string, items: readonly string[]): readonly Block[] {
  const blocks = items.map(foreignBlocks).filter((item) => item.length > 0);
  return blocks.length === 0 ? [] : [heading(2, [text(title)]), bullets(blocks)];
}

function usageBlocks(rows: readonly AgentUsage[]): readonly Block[] {
  return rows.length === 0 ? [] : [heading(2, [text('Usage')]), usageTable(rows)];
}
