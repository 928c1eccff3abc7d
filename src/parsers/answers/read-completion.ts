import type { AnswerTag } from '../../tags/tags.ts';
import { bytesOf, maxAnswerBytes } from '../markdown/answer-size.ts';
import type { LineSpan, Section } from './answer-types.ts';
import { findMarkers, type FoundMarkers } from '../markdown/find-markers.ts';
import type { MarkdownDocument } from '../markdown/markdown-document.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { readSections } from './read-block.ts';
import { sectionNamesOf } from './section-names.ts';

/**
 * Reads the answer to "send only these sections": the wanted ones of the last block that holds the most of
 * them; of the whole text where it holds no marker at all.
 */
export function readCompletion(
  text: string,
  expected: AnswerTag,
  wanted: readonly string[],
  names: readonly string[] = sectionNamesOf(expected),
): readonly Section[] {
  if (bytesOf(text) > maxAnswerBytes) return [];
  const document = parseMarkdown(text);
  const markers = findMarkers(document);
  return spansOf(document, markers, expected)
    .map((span) => readSections(document, { span, names, hidden: markers.hidden }).sections)
    .map((sections) => sections.filter(({ name }) => wanted.includes(name)))
    .reduce((best, candidate) => (candidate.length >= best.length ? candidate : best), []);
}

function spansOf(
  document: MarkdownDocument,
  { counted }: FoundMarkers,
  expected: AnswerTag,
): readonly LineSpan[] {
  if (counted.length === 0) return [{ start: 1, end: document.lines.length }];
  return counted.flatMap(({ tag, endLine }, index) => {
    const end = (counted[index + 1]?.line ?? document.lines.length + 1) - 1;
    return tag === expected ? [{ start: endLine + 1, end }] : [];
  });
}
