import {
  requestTags,
  reverseSpecOf,
  reverseTags,
  verdictWords,
  type ReverseTag,
  type RequestTag,
} from '../../tags/tags.ts';
import { sizeProblem } from '../markdown/answer-size.ts';
import { findMarkers } from '../markdown/find-markers.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { readBlock } from './read-block.ts';
import { textUnderMarker } from './text-under-marker.ts';

export type ReverseAnswerReading =
  | { readonly kind: 'answered'; readonly sections: Readonly<Record<string, string>> }
  /** It contains a reverse request itself; reverse requests have depth 1 (X001-8). */
  | { readonly kind: 'nested'; readonly tag: RequestTag | ReverseTag }
  /** `problem` fits "the answer …". */
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * Reads an answer to a reverse request (X001-7). The marker may be left out, because the answer cannot belong to
 * anything else; the context may be free text. Total: every string has a reading.
 */
export function readReverseAnswer(text: string, asked: ReverseTag): ReverseAnswerReading {
  const problem = sizeProblem(text);
  if (problem !== null) return unreadable(problem);
  if (text.replaceAll(/[\s\uFEFF\0]/g, '') === '') return unreadable('is empty');
  const nested = askingMarkerIn(text);
  if (nested !== null) return { kind: 'nested', tag: nested };
  const sections = sectionsOf(text, asked);
  return asked === '[CONSULT:CLAUDE:VERIFICATION]' ? withVerdict(sections) : withContext(sections);
}

function unreadable(problem: string): ReverseAnswerReading {
  return { kind: 'unreadable', problem };
}

function askingMarkerIn(text: string): RequestTag | ReverseTag | null {
  const { counted } = findMarkers(parseMarkdown(text));
  const asking = [...requestTags, ...reverseTags];
  return asking.find((tag) => counted.some((marker) => marker.tag === tag)) ?? null;
}

interface SectionsRead {
  readonly sections: Readonly<Record<string, string>>;
  /** All text below the marker; only that above its sections if it has any. */
  readonly whole: string;
}

function sectionsOf(text: string, asked: ReverseTag): SectionsRead {
  const spec = reverseSpecOf(asked);
  // The last marker counts, so that an extra one before the text replaces a missing one.
  const document = parseMarkdown(`${spec.answer}\n\n${text.replace(/^\uFEFF+/, '')}`);
  const { counted, hidden } = findMarkers(document);
  const index = counted.findLastIndex(({ tag }) => tag === spec.answer);
  const marker = counted[index];
  if (marker === undefined) return { sections: {}, whole: text };
  const lastLine = (counted[index + 1]?.line ?? document.lines.length + 1) - 1;
  const names = spec.sections.map(({ name }) => name);
  const { block, pieces } = readBlock(document, { marker, lastLine, names, hidden });
  return {
    sections: Object.fromEntries(block.sections.map((section) => [section.name, section.text])),
    whole: pieces.size > 0 ? block.preamble : textUnderMarker(document, marker, lastLine),
  };
}

function withVerdict({ sections }: SectionsRead): ReverseAnswerReading {
  const { VERDICT: said, REASON: reason } = sections;
  if (said === undefined) return unreadable('has no section VERDICT');
  const word = /\p{L}+/u.exec(said)?.[0].toLowerCase();
  const verdict = verdictWords.find((candidate) => candidate === word);
  if (verdict === undefined) return unreadable(`has the verdict "${said.slice(0, 40)}"`);
  if (reason === undefined) return unreadable('has no section REASON');
  return { kind: 'answered', sections: { VERDICT: verdict, REASON: reason } };
}

function withContext({ sections, whole }: SectionsRead): ReverseAnswerReading {
  const context = sections['CONTEXT'] ?? whole;
  if (context === '') return unreadable('is empty');
  return { kind: 'answered', sections: { CONTEXT: context } };
}
