import type { Nodes } from 'mdast';
import {
  findingAnswerTag,
  findingSpec,
  findingVerdictWords,
  type FindingVerdictWord,
} from '../../tags/tags.ts';
import type { Section } from './answer-types.ts';
import { sizeProblem } from '../markdown/answer-size.ts';
import { findMarkers } from '../markdown/find-markers.ts';
import { findLocation, type IssueLocation } from '../issues/issue-location.ts';
import { linesIn, spanOf, type MarkdownDocument } from '../markdown/markdown-document.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { readBlock } from './read-block.ts';

/** The lead's verdict on one finding. */
export interface FindingVerdict {
  readonly word: FindingVerdictWord;
  /** In the order of the answer; empty if it quotes nothing. */
  readonly quotations: readonly EvidenceQuotation[];
  readonly reason: string;
}

export interface EvidenceQuotation {
  /** As named in the answer; null if it names none. */
  readonly location: IssueLocation | null;
  readonly text: string;
}

export type VerdictReading =
  | { readonly kind: 'read'; readonly verdict: FindingVerdict }
  /** `problem` fits "the answer …". */
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * Reads the verdicts on the findings `ids`, a block each. The id may be left out if there is one finding. Total: each
 * finding has a reading, whatever the text is.
 */
export function readVerdicts(text: string, ids: readonly string[]): ReadonlyMap<string, VerdictReading> {
  const problem = sizeProblem(text);
  if (problem !== null) return forEach(ids, unreadable(problem));
  const blocks = blocksIn(parseMarkdown(text), ids);
  return new Map(ids.map((id) => [id, readingOf(blocks.filter((block) => block.id === id))]));
}

function forEach(ids: readonly string[], reading: VerdictReading): ReadonlyMap<string, VerdictReading> {
  return new Map(ids.map((id) => [id, reading]));
}

function unreadable(problem: string): VerdictReading {
  return { kind: 'unreadable', problem };
}

interface VerdictBlock {
  /** The finding's id; null if it names none of the requested ones. */
  readonly id: string | null;
  readonly sections: readonly Section[];
}

const names = findingSpec.sections.map(({ name }) => name);

function blocksIn(document: MarkdownDocument, ids: readonly string[]): readonly VerdictBlock[] {
  const { counted, hidden } = findMarkers(document);
  return counted.flatMap((marker, index) => {
    if (marker.tag !== findingAnswerTag) return [];
    const lastLine = (counted[index + 1]?.line ?? document.lines.length + 1) - 1;
    const { block } = readBlock(document, { marker, lastLine, names, hidden });
    return [{ id: idOf(marker.rest, ids), sections: block.sections }];
  });
}

/** Reads the first word after the colon. */
function idOf(rest: string | null, ids: readonly string[]): string | null {
  const word = /[\p{L}\p{N}]+/u.exec(rest ?? '')?.[0].toUpperCase();
  if (word === undefined) return ids.length === 1 ? (ids[0] ?? null) : null;
  return ids.find((id) => id.toUpperCase() === word) ?? null;
}

function readingOf(blocks: readonly VerdictBlock[]): VerdictReading {
  const readings = blocks.map(({ sections }) => readSections(sections));
  const words = new Set(
    readings.flatMap((reading) => (reading.kind === 'read' ? [reading.verdict.word] : [])),
  );
  if (words.size > 1) return unreadable('gives several verdicts that disagree');
  return readings.at(-1) ?? unreadable(`has no block ${findingAnswerTag} for it`);
}

function readSections(sections: readonly Section[]): VerdictReading {
  const missing = names.filter((name) => !sections.some((section) => section.name === name));
  if (missing.length > 0) return unreadable(`has no section ${missing.join(', ')}`);
  const textOf = (wanted: string) => sections.find(({ name }) => name === wanted)?.text ?? '';
  const said = textOf('VERDICT');
  const word = wordOf(said);
  if (word === null)
    return unreadable(
      `has the verdict ${JSON.stringify(said.slice(0, 40))}, not one of ${findingVerdictWords.join(', ')}`,
    );
  return {
    kind: 'read',
    verdict: { word, quotations: quotationsIn(textOf('EVIDENCE')), reason: textOf('REASON') },
  };
}

/** Reads a word on its own, decorated or not: "do not reject" does not count. */
function wordOf(said: string): FindingVerdictWord | null {
  const word = /^[^\p{L}\p{N}]*(\p{L}+)[^\p{L}\p{N}]*$/u.exec(said)?.[1]?.toLowerCase();
  return findingVerdictWords.find((candidate) => candidate === word) ?? null;
}

/** Returns each fence, with the place named in the text before it. */
function quotationsIn(section: string): readonly EvidenceQuotation[] {
  const document = parseMarkdown(section);
  let after = 1;
  return document.nodes.flatMap(codesIn).map((code) => {
    const { start, end } = spanOf(code);
    const before = linesIn(document, { start: after, end: start - 1 });
    const named = [...before.map(({ text }) => text), `${code.lang ?? ''} ${code.meta ?? ''}`].join('\n');
    after = end + 1;
    return { location: findLocation(named)?.location ?? null, text: code.value };
  });
}

function codesIn(node: Nodes): readonly Extract<Nodes, { type: 'code' }>[] {
  if (node.type === 'code') return [node];
  return 'children' in node ? node.children.flatMap(codesIn) : [];
}
