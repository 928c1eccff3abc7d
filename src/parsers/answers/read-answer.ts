import { answerTags, reverseTags, type AnswerTag, type Tag } from '../../tags/tags.ts';
import type { AnswerBlock, Reading, ReverseRequest } from './answer-types.ts';
import { findMarkers, type FoundMarkers } from '../markdown/find-markers.ts';
import { sliceTrimmed, type MarkdownDocument } from '../markdown/markdown-document.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { readBlock, type LocatedBlock } from './read-block.ts';
import { readIssueLines, readIssues, type IssuesReading } from '../issues/read-issues.ts';
import { sectionNamesOf } from './section-names.ts';
import { textUnderMarker } from './text-under-marker.ts';
import { bytesOf, maxAnswerBytes } from '../markdown/answer-size.ts';

/**
 * Reads an agent's final answer against the tag that was expected, and against the sections that were asked for: the
 * protocol's own where nothing else is said. Total: every string has a reading.
 */
export function readAnswer(
  text: string,
  expected: AnswerTag,
  names: readonly string[] = sectionNamesOf(expected),
): Reading {
  const bytes = bytesOf(text);
  if (bytes > maxAnswerBytes) return { kind: 'too_large', bytes };
  if (text.replaceAll(/[\s\uFEFF\0]/g, '') === '') return { kind: 'empty' };
  const document = parseMarkdown(text);
  const markers = findMarkers(document);
  const located = locateBlocks(document, markers, (tag) => (tag === expected ? names : sectionNamesOf(tag)));
  const wanted = chooseBlock(located.filter(({ block }) => block.tag === expected));
  const request = reverseRequestIn(located);
  if (wanted === null) return withoutExpectedBlock({ expected, located, request, markers });
  const reading = readChosen(document, wanted, located);
  if (reading.kind === 'whole') return request === null ? reading : { ...reading, reverse: request };
  return request === null ? reading : { kind: 'reverse_request', request };
}

type Judgement = Extract<Reading, { kind: 'whole' | 'incomplete' | 'malformed' }>;

/** Whole, incomplete or malformed; also for a block merged from two answers, which has no document of its own. */
export function judgeBlock(
  block: AnswerBlock,
  issuesOf: (text: string) => IssuesReading = readIssues,
): Judgement {
  if (block.missing.length > 0) return { kind: 'incomplete', block, missing: block.missing };
  const section = block.sections.find(({ name }) => name === 'ISSUES');
  if (section === undefined) return { kind: 'whole', block, issues: null, preamble: '' };
  const issues = issuesOf(section.text);
  return issues.kind === 'malformed'
    ? { kind: 'malformed', block, malformations: issues.malformations }
    : { kind: 'whole', block, issues: issues.issues, preamble: '' };
}

interface BlockText extends LocatedBlock {
  /** What stands under the marker, a text behind its colon included. */
  readonly text: string;
}

/** Blocks run from one protocol marker to the next (X001-5). */
function locateBlocks(
  document: MarkdownDocument,
  { counted, hidden }: FoundMarkers,
  namesOf: (tag: Tag) => readonly string[],
): readonly BlockText[] {
  return counted.map((marker, index) => {
    const lastLine = (counted[index + 1]?.line ?? document.lines.length + 1) - 1;
    return {
      ...readBlock(document, { marker, lastLine, names: namesOf(marker.tag), hidden }),
      text: textUnderMarker(document, marker, lastLine),
    };
  });
}

/** The last whole block, else the last one of those with the most sections. */
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
  if (reading.issues?.length !== 0 || !anotherReviewFindsSomething(document, chosen, located)) {
    return { ...reading, preamble: before };
  }
  const malformations = [{ section: 'ISSUES', detail: 'two reviews that disagree' }];
  return { kind: 'malformed', block: chosen.block, malformations };
}

/**
 * An unreadable `ISSUES` may hold findings too: only another recognised "none" agrees with a "none". A block that
 * is not whole counts as well, if it has `ISSUES`: a draft with findings is no reason to end clean.
 */
function anotherReviewFindsSomething(
  document: MarkdownDocument,
  chosen: LocatedBlock,
  located: readonly LocatedBlock[],
): boolean {
  return located
    .filter(({ block }) => block !== chosen.block && block.tag === chosen.block.tag)
    .filter(({ block }) => !block.missing.includes('ISSUES'))
    .map(({ pieces }) => pieces.get('ISSUES') ?? [])
    .some((pieces) => {
      const issues = readIssueLines(document, pieces);
      return issues.kind === 'malformed' || issues.issues.length > 0;
    });
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
