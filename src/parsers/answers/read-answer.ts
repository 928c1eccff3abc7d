import { isGap } from '../../tags/answer-gaps.ts';
import { compareSeverity } from '../../tags/severities.ts';
import { answerTags, reverseTags, type AnswerTag, type Tag } from '../../tags/tags.ts';
import type {
  AnswerBlock,
  LineSpan,
  Malformation,
  Reading,
  ReverseRequest,
  ReviewIssue,
} from './answer-types.ts';
import { findMarkers, type FoundMarkers } from '../markdown/find-markers.ts';
import { sliceTrimmed, type MarkdownDocument } from '../markdown/markdown-document.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { readBlock, readSections, type LocatedBlock } from './read-block.ts';
import { readIssueLines, readIssues, type IssuesReading } from '../issues/read-issues.ts';
import { sectionNamesOf } from './section-names.ts';
import { statesFindings, statesGraveFindings } from './stray-findings.ts';
import { textUnderMarker } from './text-under-marker.ts';
import { sizeProblem } from '../markdown/answer-size.ts';

/**
 * Reads an agent's final answer against the expected tag and the requested sections, by default the protocol's own.
 * Total: every string has a reading.
 */
export function readAnswer(
  text: string,
  expected: AnswerTag,
  names: readonly string[] = sectionNamesOf(expected),
  closing: string | null = null,
): Reading {
  const problem = sizeProblem(text);
  if (problem !== null) return { kind: 'too_large', problem };
  if (text.replaceAll(/[\s\uFEFF\0]/g, '') === '') return { kind: 'empty' };
  const document = parseMarkdown(text);
  const markers = findMarkers(document, closing);
  const located = locateBlocks(document, markers, (tag) => (tag === expected ? names : sectionNamesOf(tag)));
  const wanted = chooseBlock(located.filter(({ block }) => block.tag === expected));
  const request = reverseRequestIn(located);
  if (wanted === null) return withoutExpectedBlock({ expected, located, request, markers });
  const reading = readChosen(document, wanted, located);
  if (reading.kind === 'whole') return request === null ? reading : { ...reading, reverse: request };
  return request === null ? reading : { kind: 'reverse_request', request };
}

type Judgement = Extract<Reading, { kind: 'whole' | 'incomplete' | 'malformed' }>;

/**
 * Judges a block as whole, incomplete or malformed; also one merged from two answers, which has no document of its own.
 */
export function judgeBlock(
  block: AnswerBlock,
  issuesOf: (text: string) => IssuesReading = readIssues,
): Judgement {
  if (block.missing.length > 0) return { kind: 'incomplete', block, missing: block.missing };
  const unfilled = block.sections.filter(({ text }) => isGap(text)).map(({ name }) => notFilledIn(name));
  const section = block.sections.find(({ name }) => name === 'ISSUES');
  const issues = section === undefined || isGap(section.text) ? null : issuesOf(section.text);
  const malformations = [
    ...unfilled,
    ...(issues === null ? [] : faultsOf(issues)),
    ...(issues?.kind === 'read' && issues.issues.length === 0 ? findingsElsewhere(block) : []),
  ];
  if (malformations.length > 0) return { kind: 'malformed', block, malformations };
  return { kind: 'whole', block, issues: issues?.kind === 'read' ? issues.issues : null, preamble: '' };
}

/** A review that finds nothing states no problem in its other sections. */
function findingsElsewhere({ sections }: AnswerBlock): readonly Malformation[] {
  const stating = sections.filter(({ name, text }) => name !== 'ISSUES' && statesGraveFindings(text));
  if (stating.length === 0) return [];
  const names = stating.map(({ name }) => name);
  return [
    {
      section: 'ISSUES',
      detail: `it is empty, but ${names.join(' and ')} states a problem with its severity`,
    },
    ...names.map((section) => ({ section, detail: 'it states a problem that belongs under ISSUES' })),
  ];
}

function faultsOf(issues: IssuesReading): readonly Malformation[] {
  if (issues.kind === 'malformed') return issues.malformations;
  return issues.issues.some(({ title }) => isGap(title)) ? [notFilledIn('ISSUES')] : [];
}

function notFilledIn(section: string): Malformation {
  return { section, detail: 'it has only the placeholder of the form' };
}

interface BlockText extends LocatedBlock {
  /** The text under the marker, including that after its colon. */
  readonly text: string;
}

/** Locates the blocks, which run from one protocol marker to the next (X001-5). */
function locateBlocks(
  document: MarkdownDocument,
  { counted, hidden, closings }: FoundMarkers,
  namesOf: (tag: Tag) => readonly string[],
): readonly BlockText[] {
  return counted.map((marker, index) => {
    const lastLine = (counted[index + 1]?.line ?? document.lines.length + 1) - 1;
    return {
      ...readBlock(document, { marker, lastLine, names: namesOf(marker.tag), hidden, closings }),
      text: textUnderMarker(document, marker, lastLine),
    };
  });
}

/** Chooses the last whole block, otherwise the last one of those with the most sections. */
function chooseBlock<T extends LocatedBlock>(blocks: readonly T[]): T | null {
  return blocks.reduce<T | null>(
    (best, candidate) =>
      best === null || candidate.block.missing.length <= best.block.missing.length ? candidate : best,
    null,
  );
}

function readChosen(
  document: MarkdownDocument,
  chosen: LocatedBlock,
  located: readonly LocatedBlock[],
): Reading {
  const pieces = chosen.pieces.get('ISSUES') ?? [];
  const reading = judgeBlock(chosen.block, () => readIssueLines(document, pieces));
  if (reading.kind !== 'whole') return reading;
  const before = sliceTrimmed(document, { start: 1, end: chosen.block.span.start - 1 })?.text ?? '';
  const { issues } = reading;
  if (issues === null) return { ...reading, preamble: before };
  const other = reviewWithOtherFindings(document, chosen, { issues, located });
  if (other === null && issues.length > 0) return { ...reading, preamble: before };
  const isContradicted =
    findsSomethingBehind(chosen) ||
    statesGraveFindings(chosen.extraText) ||
    statesFindings(before) ||
    statesFindings(chosen.block.preamble);
  if (other === null && !isContradicted) return { ...reading, preamble: before };
  return {
    kind: 'malformed',
    block: other ?? chosen.block,
    malformations: [disagreement],
    disagree: true,
  };
}

/** Returns true if problems follow the closing line: that is more than a remark. */
function findsSomethingBehind({ behind, block: { tag } }: LocatedBlock): boolean {
  if (statesFindings(behind)) return true;
  const document = parseMarkdown(behind);
  const span = { start: 1, end: document.lines.length };
  const { pieces } = readSections(document, { span, names: sectionNamesOf(tag), hidden: [] });
  const issues = pieces.get('ISSUES') ?? [];
  return issues.length > 0 && !findsNothing(document, issues);
}

export const disagreement: Malformation = { section: 'ISSUES', detail: 'two reviews that disagree' };

/**
 * Finds another block with findings that the chosen one lacks: any if it has none, else a grave one that it omits or gives a
 * lower severity. An unreadable `ISSUES` may contain some too. An incomplete block also counts if it has `ISSUES`.
 */
function reviewWithOtherFindings(
  document: MarkdownDocument,
  chosen: LocatedBlock,
  { issues, located }: { readonly issues: readonly ReviewIssue[]; readonly located: readonly LocatedBlock[] },
): AnswerBlock | null {
  const others = located
    .filter(({ block }) => block !== chosen.block && block.tag === chosen.block.tag)
    .filter(({ block }) => !block.missing.includes('ISSUES'));
  const addsFindings = ({ pieces }: LocatedBlock): boolean => {
    const found = readIssueLines(document, pieces.get('ISSUES') ?? []);
    if (found.kind !== 'read') return true;
    return found.issues.some(
      (issue) => !(issues.length > 0 && issue.severity === 'minor') && !isAmong(issue, issues),
    );
  };
  return others.findLast(addsFindings)?.block ?? null;
}

/** Returns true if one of `issues` makes the same claim or quotes the same lines, with at least the same severity. */
function isAmong(issue: ReviewIssue, issues: readonly ReviewIssue[]): boolean {
  const { title, quote, severity } = issue;
  return issues.some(
    (other) =>
      compareSeverity(other.severity, severity) <= 0 &&
      (wordsIn(other.title) === wordsIn(title) ||
        (quote !== null && wordsIn(other.quote?.text ?? '') === wordsIn(quote.text))),
  );
}

function wordsIn(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Returns false also for an unreadable `ISSUES`: it may contain findings. */
export function findsNothing(document: MarkdownDocument, pieces: readonly LineSpan[]): boolean {
  const issues = readIssueLines(document, pieces);
  return issues.kind === 'read' && issues.issues.length === 0;
}

function reverseRequestIn(located: readonly BlockText[]): ReverseRequest | null {
  const last = located.findLast(({ block }) => isReverse(block.tag));
  const tag = reverseTags.find((candidate) => candidate === last?.block.tag);
  return last === undefined || tag === undefined ? null : { tag, text: last.text };
}

function withoutExpectedBlock(input: {
  readonly expected: AnswerTag;
  readonly located: readonly BlockText[];
  readonly request: ReverseRequest | null;
  readonly markers: FoundMarkers;
}): Reading {
  if (input.request !== null) return { kind: 'reverse_request', request: input.request };
  const other = chooseBlock(input.located.filter(({ block }) => isAnswer(block.tag)));
  const found = answerTags.find((tag) => tag === other?.block.tag);
  if (other !== null && found !== undefined) return { kind: 'other_tag', found, block: other.block };
  const causes = input.markers.discounted.filter(({ tag }) => tag === input.expected);
  return { kind: 'marker_absent', causes: [...new Set(causes.map(({ cause }) => cause))] };
}

function isReverse(tag: Tag): boolean {
  return reverseTags.some((candidate) => candidate === tag);
}

function isAnswer(tag: Tag): boolean {
  return answerTags.some((candidate) => candidate === tag);
}
