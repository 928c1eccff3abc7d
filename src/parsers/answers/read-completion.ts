import type { AnswerTag } from '../../tags/tags.ts';
import { sizeProblem } from '../markdown/answer-size.ts';
import type { LineSpan, Section } from './answer-types.ts';
import { findMarkers, type FoundMarkers } from '../markdown/find-markers.ts';
import { sliceTrimmed, type MarkdownDocument } from '../markdown/markdown-document.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { findsNothing } from './read-answer.ts';
import { closingIn, readSections, textBehind } from './read-block.ts';
import { sectionNamesOf } from './section-names.ts';
import { statesFindings, statesGraveFindings } from './stray-findings.ts';

export interface Completion {
  readonly sections: readonly Section[];
  readonly closed: boolean;
  /** It has nothing but markers and closing lines. */
  readonly bare: boolean;
  /** It has no findings, but another block of the same text has some. */
  readonly disagree: boolean;
}

/**
 * Reads the answer to "send only these sections": the wanted ones of the last block that has the most of them; of the
 * whole text if it has no marker.
 */
export function readCompletion(
  text: string,
  expected: AnswerTag,
  wanted: readonly string[],
  names: readonly string[] = sectionNamesOf(expected),
  closing: string | null = null,
): Completion {
  if (sizeProblem(text) !== null) return nothing;
  const document = parseMarkdown(text);
  const markers = findMarkers(document, closing);
  const candidates = spansOf(document, markers, expected)
    .map((span) => ({ span, end: closingIn(span, markers.closings) }))
    .map(({ span, end }) => ({
      closed: end?.counts === true,
      behind: textBehind(document, span, markers.closings),
      ...readSections(document, {
        span: end === null ? span : { ...span, end: end.line - 1 },
        names,
        hidden: markers.hidden,
      }),
    }))
    .map(({ closed, behind, firstHead, sections, extraText, pieces }) => ({
      closed,
      elsewhere: [extraText, ...sections.flatMap(({ name, text: said }) => (name === 'ISSUES' ? [] : said))],
      beside: [behind, firstHead === null ? '' : textUpTo(document, firstHead)],
      sections: sections.filter(({ name }) => wanted.includes(name)),
      issues: wanted.includes('ISSUES') ? (pieces.get('ISSUES') ?? []) : [],
    }));
  const chosen = candidates.reduce<(typeof candidates)[number] | null>(
    (best, candidate) =>
      best === null || candidate.sections.length >= best.sections.length ? candidate : best,
    null,
  );
  if (chosen === null) return nothing;
  const stated = candidates.filter(({ issues }) => issues.length > 0);
  const none = chosen.issues.length > 0 && findsNothing(document, chosen.issues);
  return {
    sections: chosen.sections,
    closed: chosen.closed,
    bare: isBare(document, markers),
    disagree:
      none &&
      (chosen.beside.some(statesFindings) ||
        chosen.elsewhere.some(statesGraveFindings) ||
        !stated.every(({ issues }) => findsNothing(document, issues))),
  };
}

const nothing: Completion = { sections: [], closed: false, bare: false, disagree: false };

function textUpTo(document: MarkdownDocument, line: number): string {
  return sliceTrimmed(document, { start: 1, end: line - 1 })?.text ?? '';
}

function isBare(document: MarkdownDocument, { counted, closings }: FoundMarkers): boolean {
  return document.lines.every(
    ({ number, text }) =>
      text.trim() === '' ||
      closings.some(({ line }) => line === number) ||
      counted.some(({ line, endLine }) => number >= line && number <= endLine),
  );
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
