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
  /** Kept over rounds; null if it has none. */
  readonly number: number | null;
  readonly url: string | null;
  /** `dismissed`: a person resolved its thread, or dismissed it in a comment. */
  readonly state: 'new' | 'still_there' | 'dismissed' | 'summary';
  /** Set if a comment dismissed it; absent if its thread was only resolved. */
  readonly dismissal?: { readonly by: string; readonly reason: string };
}

export interface KeptThread {
  readonly title: string;
  readonly number: number | null;
  readonly url: string;
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
  readonly kept: readonly KeptThread[];
  /** SHA-256 of the result's file. */
  readonly digest: string;
}

const longestInLine = 200;

/** The parts of a summary that a limit can shorten. */
interface Extent {
  /** The number of findings in the list, worst first. */
  readonly findings: number;
  /** The number of findings without a thread whose text is shown. */
  readonly texts: number;
  /** The number of threads that were not reported again. */
  readonly kept: number;
  /** In characters, of a line of the proof; null: without the proof. */
  readonly proof: number | null;
  readonly files: number;
}

/** From everything to nearly nothing: the first form that fits is used. */
const extents: readonly Extent[] = [
  { findings: 200, texts: Infinity, kept: 100, proof: Infinity, files: 50 },
  { findings: 200, texts: Infinity, kept: 100, proof: 500, files: 50 },
  ...[20, 8, 3, 1, 0].map((texts) => ({ findings: 200, texts, kept: 100, proof: 500, files: 20 })),
  ...[100, 50, 20].map((count) => ({ findings: count, texts: 0, kept: 20, proof: 500, files: 20 })),
  { findings: 20, texts: 0, kept: 10, proof: null, files: 0 },
  { findings: 5, texts: 0, kept: 0, proof: null, files: 0 },
  { findings: 0, texts: 0, kept: 0, proof: null, files: 0 },
];

/** @param mostCharacters the room that the host leaves beside the marks */
export function renderRoundSummary(summary: RoundSummary, mostCharacters: number): string {
  const [first, ...shorter] = extents.map((extent) => () => renderWithin(summary, extent));
  let body = first?.() ?? '';
  for (const render of shorter) {
    if (body.length <= mostCharacters) break;
    body = render();
  }
  return body;
}

function renderWithin(summary: RoundSummary, extent: Extent): string {
  return renderDocument([
    headingOf(summary),
    paragraph([text(roundLine(summary))]),
    ...findingList(summary, extent),
    ...fullFindings(summary, extent),
    ...missingOf(summary, extent),
    ...(extent.proof === null ? [] : proofOf(summary, { ...extent, proof: extent.proof })),
  ]);
}

function findingList({ findings, heldBack, kept }: RoundSummary, extent: Extent): readonly Block[] {
  const shown = findings.slice(0, extent.findings).map((one) => [findingItem(one)]);
  const threads = kept
    .slice(0, extent.kept)
    .map(({ title, number, url }) => [
      paragraph([...numberOf(number), linkTo(url, foreignText(shorten(title, longestInLine)))]),
    ]);
  return [
    ...(shown.length === 0 ? [] : [bullets(shown)]),
    ...(threads.length === 0
      ? []
      : [paragraph([text('Not reported again, and not known to be fixed:')]), bullets(threads)]),
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

/** Names the parts that the limit of a comment left out, with their number and their place. */
function missingOf({ result, findings, kept }: RoundSummary, extent: Extent): readonly Block[] {
  const listed = findings.slice(extent.findings);
  const onThreads = listed.filter(({ url }) => url !== null).length;
  const report = `in the JSON report of ${result.run_id}`;
  const missing = [
    ...countLeft(onThreads, 'finding', 'in their threads'),
    ...countLeft(listed.length - onThreads, 'finding', report),
    ...countLeft(withoutThread(findings).length - extent.texts, 'text', report),
    ...countLeft(kept.length - extent.kept, 'thread', 'not reported again, in this pull request'),
    ...(extent.proof === null ? [`the proof (${report})`] : []),
  ];
  if (missing.length === 0) return [];
  return [
    paragraph([
      strong(text('Shortened')),
      text(', because a comment has a limit. Left out: '),
      ...foreignText(`${missing.join(', ')}.`),
    ]),
  ];
}

function countLeft(count: number, what: string, where: string): readonly string[] {
  return count > 0 ? [`${renderCount(count, what)} (${where})`] : [];
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

function numberOf(number: number | null): readonly Phrasing[number][] {
  return number === null ? [] : [text(`F${number} `)];
}

function findingItem({ finding, number, url, state, dismissal }: SummaryFinding): Block {
  const place = foreignCode(shorten(placeOfFinding(finding), longestInLine));
  return paragraph([
    ...numberOf(number),
    strong(text(gradeHead(finding))),
    text(' '),
    url === null ? place : linkTo(url, [place]),
    text(': '),
    ...foreignText(shorten(finding.title, longestInLine)),
    ...(state === 'dismissed' && dismissal === undefined ? [text(' (dismissed)')] : []),
    ...(dismissal === undefined
      ? []
      : [
          text(' (dismissed by '),
          foreignCode(dismissal.by),
          text(': '),
          ...foreignText(shorten(dismissal.reason, longestInLine)),
          text(')'),
        ]),
  ]);
}

type Phrasing = Extract<Block, { type: 'paragraph' }>['children'];

function linkTo(url: string, children: readonly Phrasing[number][]): Phrasing[number] {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return { type: 'emphasis', children: [...children] };
  return { type: 'link', url: new URL(url).href, children: [...children] };
}

function withoutThread(findings: readonly SummaryFinding[]): readonly SummaryFinding[] {
  return findings.filter(({ state }) => state === 'summary');
}

/** The findings that have no thread. */
function fullFindings({ findings }: RoundSummary, extent: Extent): readonly Block[] {
  const shown = withoutThread(findings).slice(0, extent.texts);
  return shown.length === 0
    ? []
    : [
        heading(2, [text('Without a thread')]),
        ...shown.flatMap(({ finding, number }) => findingBlocks(finding, number)),
      ];
}

interface ProofExtent extends Extent {
  readonly proof: number;
}

function proofOf({ result, digest }: RoundSummary, extent: ProofExtent): readonly RootContent[] {
  const { coverage, assurance, reasons, known, covered, usage, exit } = summarise(result);
  const told = [...reasons, ...known, ...covered, coverage, assurance, ...usage, exit];
  return [
    { type: 'html', value: '<details>\n<summary>Proof</summary>' },
    bullets([
      ...told.map((line) => [paragraph(foreignText(shorten(line, extent.proof)))]),
      [paragraph([text('SHA-256 of the result: '), foreignCode(digest)])],
    ]),
    ...filesOf('Not reviewed', filesWith(result, 'failed'), extent),
    ...filesOf('Skipped', filesWith(result, 'skipped'), extent),
    ...(result.usage_by.length === 0 ? [] : [heading(3, [text('Usage')]), usageTable(result.usage_by)]),
    { type: 'html', value: '</details>' },
  ];
}

function filesOf(title: string, files: readonly ReportedFile[], extent: Extent): readonly Block[] {
  if (files.length === 0) return [];
  const named = files
    .slice(0, extent.files)
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
