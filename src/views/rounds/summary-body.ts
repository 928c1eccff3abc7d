/** Renders the summary of a round: the outcome, a line for each finding with a link to its thread, and the proof, folded. */
import type { RootContent } from 'mdast';
import type { Finding } from '../../events/collab-event.ts';
import { placeOfFinding } from '../../events/findings.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { renderCount } from '../../text/quantities.ts';
import { gradeHead } from '../reports/counted-findings.ts';
import { shorten } from '../reports/foreign-text.ts';
import { findingBlocks } from '../reports/markdown-finding.ts';
import { filesWith, summarise, type ReportedFile } from '../reports/summary.ts';
import { foreignCode, foreignText, type Block } from '../transcript/foreign-markdown.ts';
import { bullets, heading, paragraph, renderDocument, strong, text } from '../transcript/markdown-nodes.ts';
import { usageTable } from '../transcript/usage-table.ts';

/** A finding of the round; `url` is its thread. */
export interface SummaryFinding {
  readonly finding: Finding;
  readonly url: string | null;
  /** `dismissed`: a person resolved its thread. */
  readonly state: 'new' | 'still_there' | 'dismissed' | 'summary';
}

export interface RoundSummary {
  readonly result: ReviewResult;
  readonly round: number;
  readonly head: string;
  readonly findings: readonly SummaryFinding[];
  /** New Minor findings on lines that the last round showed. */
  readonly heldBack: readonly Finding[];
  /** Number of threads whose finding is gone. */
  readonly fixed: number;
  /** Open threads that this review did not report again. */
  readonly kept: readonly { readonly title: string; readonly url: string }[];
  /** SHA-256 of the result's file. */
  readonly digest: string;
}

/** In characters, without the marks. */
const longestSummary = 42_000;
const longestInLine = 200;
const mostLines = 100;
const mostFiles = 50;

export function renderRoundSummary(summary: RoundSummary): string {
  const forms = [
    [...openingOf(summary), ...fullFindings(summary), ...proofOf(summary, Infinity)],
    [...openingOf(summary), ...fullFindings(summary), ...proofOf(summary, 500)],
    [...openingOf(summary), shortened, ...proofOf(summary, 500)],
    [...openingOf(summary), shortened],
  ].map((blocks) => () => renderDocument(blocks));
  for (const render of forms) {
    const body = render();
    if (body.length <= longestSummary) return body;
  }
  return renderDocument([headingOf(summary), shortened]);
}

const shortened = paragraph([
  strong(text('Shortened')),
  text(', because a comment has a limit: the JSON report has everything.'),
]);

function openingOf(summary: RoundSummary): readonly Block[] {
  const { findings, heldBack, kept } = summary;
  const lines = findings.slice(0, mostLines).map((one) => [findingItem(one)]);
  const rest = findings.length - lines.length;
  return [
    headingOf(summary),
    paragraph([text(roundLine(summary))]),
    ...(lines.length === 0 ? [] : [bullets(lines)]),
    ...(rest > 0 ? [paragraph([text(`and ${renderCount(rest, 'more finding')}`)])] : []),
    ...(kept.length === 0 ? [] : [paragraph([text('Not reported again, and not known to be fixed:')])]),
    ...(kept.length === 0
      ? []
      : [
          bullets(
            kept
              .slice(0, mostLines)
              .map(({ title, url }) => [
                paragraph([linkTo(url, foreignText(shorten(title, longestInLine)))]),
              ]),
          ),
        ]),
    ...(heldBack.length === 0
      ? []
      : [
          paragraph([
            text(
              `${renderCount(heldBack.length, 'new Minor finding')} on lines that the last round showed: not posted, in the JSON report.`,
            ),
          ]),
        ]),
  ];
}

function headingOf({ result }: RoundSummary): Block {
  return heading(1, [text(`Code review: ${summarise(result).headline}`)]);
}

function roundLine({ round, head, findings, fixed }: RoundSummary): string {
  const count = (state: SummaryFinding['state']) => findings.filter((one) => one.state === state).length;
  const parts = [
    ...(round === 1
      ? []
      : [`${count('new') + count('summary')} new`, `${count('still_there')} still there`, `${fixed} fixed`]),
    ...(count('dismissed') > 0 ? [`${count('dismissed')} dismissed`] : []),
  ];
  return [`Round ${round}, commit ${head}`, ...(parts.length === 0 ? [] : [parts.join(', ')])].join(': ');
}

function findingItem({ finding, url, state }: SummaryFinding): Block {
  const place = foreignCode(shorten(placeOfFinding(finding), longestInLine));
  return paragraph([
    strong(text(gradeHead(finding))),
    text(' '),
    url === null ? place : linkTo(url, [place]),
    text(': '),
    ...foreignText(shorten(finding.title, longestInLine)),
    ...(state === 'dismissed' ? [text(' (dismissed)')] : []),
  ]);
}

type Phrasing = Extract<Block, { type: 'paragraph' }>['children'];

function linkTo(url: string, children: readonly Phrasing[number][]): Phrasing[number] {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return { type: 'emphasis', children: [...children] };
  return { type: 'link', url: new URL(url).href, children: [...children] };
}

/** The findings that have no thread. */
function fullFindings({ findings }: RoundSummary): readonly Block[] {
  const without = findings.filter(({ state }) => state === 'summary').map(({ finding }) => finding);
  if (without.length === 0) return [];
  return [heading(2, [text('Without a thread')]), ...without.flatMap(findingBlocks)];
}

function proofOf({ result, digest }: RoundSummary, mostCharacters: number): readonly RootContent[] {
  const { coverage, assurance, reasons, known, covered, usage, exit } = summarise(result);
  const told = [...reasons, ...known, ...covered, coverage, assurance, ...usage, exit];
  return [
    { type: 'html', value: '<details>\n<summary>Proof</summary>' },
    bullets([
      ...told.map((line) => [paragraph(foreignText(shorten(line, mostCharacters)))]),
      [paragraph([text('SHA-256 of the result: '), foreignCode(digest)])],
    ]),
    ...filesOf('Not reviewed', filesWith(result, 'failed')),
    ...filesOf('Skipped', filesWith(result, 'skipped')),
    ...(result.usage_by.length === 0 ? [] : [heading(3, [text('Usage')]), usageTable(result.usage_by)]),
    { type: 'html', value: '</details>' },
  ];
}

function filesOf(title: string, files: readonly ReportedFile[]): readonly Block[] {
  if (files.length === 0) return [];
  const named = files
    .slice(0, mostFiles)
    .map(({ path, reason = '' }) => [
      paragraph([
        foreignCode(shorten(path, longestInLine)),
        ...(reason === '' ? [] : [text(': '), ...foreignText(shorten(reason, longestInLine))]),
      ]),
    ]);
  const rest = files.length - named.length;
  const more = rest > 0 ? [[paragraph([text(`and ${rest} more`)])]] : [];
  return [heading(3, [text(title)]), bullets([...named, ...more])];
}

/** The first line of the one comment that each review replaces. */
export const summaryMark = '<!-- collab:review -->';
