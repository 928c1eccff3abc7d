import type { Tag } from '../../tags/tags.ts';
import type { AnswerBlock, LineSpan, Section } from './answer-types.ts';
import { isEmptyWord } from './none-words.ts';
import type { FoundClosing, Marker } from '../markdown/find-markers.ts';
import { coverOfLine } from '../markdown/inline-cover.ts';
import {
  linesIn,
  sliceTrimmed,
  textLinesIn,
  type MarkdownDocument,
  type TextLine,
} from '../markdown/markdown-document.ts';
import { readSeverityHeading } from '../issues/issue-severity.ts';
import { headingText, plainLevel, readSectionHead } from './section-head.ts';
import { textUnderMarker } from './text-under-marker.ts';

/** A block, and the places of each section's pieces in the document. */
export interface LocatedBlock {
  readonly block: AnswerBlock;
  readonly pieces: ReadonlyMap<string, readonly LineSpan[]>;
  /** The text after the first closing line; empty if there is none. */
  readonly behind: string;
  /** The extra sections with their headings. */
  readonly extraText: string;
}

export interface SectionsOfSpan {
  /** The line of the first section; null if there is none. */
  readonly firstHead: number | null;
  readonly sections: readonly Section[];
  readonly extraSections: readonly string[];
  /** With their headings. */
  readonly extraText: string;
  readonly pieces: ReadonlyMap<string, readonly LineSpan[]>;
}

interface Opening {
  /** The section's constant, or null for a heading outside the contract. */
  readonly name: string | null;
  readonly title: string;
  readonly line: number;
  readonly contentStart: number;
}

export interface BlockPlace extends Omit<SectionsPlace, 'span'> {
  readonly marker: Marker;
  readonly lastLine: number;
  readonly closings?: readonly FoundClosing[];
}

export interface SectionsPlace {
  readonly span: LineSpan;
  readonly names: readonly string[];
  /** Lines inside `span` that belong to no section. */
  readonly hidden: readonly LineSpan[];
}

/** Reads the text between a marker and the next one as a block with the named sections. */
export function readBlock(
  document: MarkdownDocument,
  { marker, lastLine: end, names, hidden, closings = [] }: BlockPlace,
): LocatedBlock {
  const closing = closingIn({ start: marker.endLine + 1, end }, closings);
  const lastLine = closing === null ? end : closing.line - 1;
  const epilogue = closing === null ? null : sliceTrimmed(document, { start: closing.line + 1, end });
  const span = { start: marker.endLine + 1, end: lastLine };
  const read = readSections(document, { span, names, hidden });
  const preambleEnd = (read.firstHead ?? lastLine + 1) - 1;
  const present = new Set(read.sections.map(({ name }) => name));
  const tag: Tag = marker.tag;
  return {
    pieces: read.pieces,
    extraText: read.extraText,
    behind: textBehind(document, { start: marker.endLine + 1, end }, closings),
    block: {
      tag,
      lenient: marker.lenient,
      preamble: textUnderMarker(document, marker, preambleEnd),
      sections: read.sections,
      missing: names.filter((name) => !present.has(name)),
      extraSections: read.extraSections,
      span: { start: marker.line, end: lastLine },
      ...(closing?.counts === true ? { closed: true } : {}),
      ...(epilogue === null ? {} : { epilogue: epilogue.text }),
    },
  };
}

/** Returns the text after the first closing line that counts: a second one does not make it part of a section. */
export function textBehind(
  document: MarkdownDocument,
  { start, end }: LineSpan,
  closings: readonly FoundClosing[],
): string {
  const first = closings.find(({ line, counts }) => counts && line >= start && line <= end);
  if (first === undefined) return '';
  return sliceTrimmed(document, { start: first.line + 1, end })?.text ?? '';
}

/** Returns the last closing line that counts, otherwise the last one. */
export function closingIn({ start, end }: LineSpan, closings: readonly FoundClosing[]): FoundClosing | null {
  const inside = closings.filter(({ line }) => line >= start && line <= end);
  return inside.findLast(({ counts }) => counts) ?? inside.at(-1) ?? null;
}

/** Reads the named sections of a span, in the order of `names`, whatever their order in the text (X001-6). */
export function readSections(
  document: MarkdownDocument,
  { span, names, hidden }: SectionsPlace,
): SectionsOfSpan {
  const openings = findOpenings(document, spansBetween(span, hidden), names);
  const pieces = new Map<string, LineSpan[]>();
  const extras: LineSpan[] = [];
  for (const [index, { name, line, contentStart }] of openings.entries()) {
    const end = (openings[index + 1]?.line ?? span.end + 1) - 1;
    const shown = spansBetween({ start: name === null ? line : contentStart, end }, hidden);
    if (name === null) extras.push(...shown);
    else pieces.set(name, [...(pieces.get(name) ?? []), ...shown]);
  }
  return {
    firstHead: openings[0]?.line ?? null,
    sections: names.flatMap((name) => sectionOf(document, name, pieces.get(name) ?? [])),
    extraSections: openings.filter(({ name }) => name === null).map(({ title }) => title),
    extraText: extras.flatMap((extra) => sliceTrimmed(document, extra)?.text ?? []).join('\n\n'),
    pieces,
  };
}

/** Returns a section's text without rules, comments and wrapping HTML around it. */
export function essenceOf(document: MarkdownDocument, pieces: readonly LineSpan[]): string {
  return pieces
    .flatMap((piece) => linesIn(document, piece))
    .filter((line) => !document.structuralLines.has(line.number))
    .map((line) => line.text)
    .join('\n')
    .trim();
}

/** Returns the parts of a span that are not hidden. */
function spansBetween(span: LineSpan, hidden: readonly LineSpan[]): readonly LineSpan[] {
  const inside = hidden.filter(({ start, end }) => end >= span.start && start <= span.end);
  const starts = [span.start, ...inside.map(({ end }) => end + 1)];
  const ends = [...inside.map(({ start }) => start - 1), span.end];
  return starts.map((start, index) => ({ start, end: ends[index] ?? span.end }));
}

function sectionOf(
  document: MarkdownDocument,
  name: string,
  pieces: readonly LineSpan[],
): readonly Section[] {
  const essence = essenceOf(document, pieces);
  const slices = pieces.flatMap((piece) => sliceTrimmed(document, piece) ?? []);
  const [first, last] = [slices[0], slices.at(-1)];
  if (essence === '' || first === undefined || last === undefined) return [];
  return [
    {
      name,
      text: slices.map(({ text }) => text).join('\n\n'),
      state: isEmptyWord(essence) ? 'empty' : 'filled',
      span: { start: first.span.start, end: last.span.end },
    },
  ];
}

/** Finds the headings of sections, only at the shallowest level of any of the names (X001-2). */
function findOpenings(
  document: MarkdownDocument,
  spans: readonly LineSpan[],
  names: readonly string[],
): readonly Opening[] {
  const lines = spans
    .flatMap((span) => textLinesIn(document, span))
    .map((line) => ({ line, head: headOf(document, line, names) }));
  const level = Math.min(plainLevel, ...lines.flatMap(({ head }) => head?.level ?? []));
  const openings: Opening[] = [];
  for (const { line, head } of lines) {
    const name = head?.level === level ? head.name : null;
    if (name === null && !endsSection(line, level, openings.at(-1)?.name ?? null)) continue;
    openings.push({
      name,
      title: headingText(line.line.text),
      line: line.line.number,
      contentStart: line.endLine + 1,
    });
  }
  return openings;
}

function headOf(document: MarkdownDocument, line: TextLine, names: readonly string[]) {
  const head = readSectionHead(line, names);
  return head !== null && coverOfLine(document, line, indentOf(line)) === null ? head : null;
}

/**
 * Recognizes a heading outside the contract, not below the sections' own level; a severity heading belongs to `ISSUES`.
 */
function endsSection(line: TextLine, level: number, current: string | null): boolean {
  if (line.depth === null) return false;
  if (current === 'ISSUES' && readSeverityHeading(headingText(line.line.text)) !== null) return false;
  return line.depth <= (level === plainLevel ? 2 : level);
}

function indentOf({ line }: TextLine): number {
  return line.text.length - line.text.trimStart().length;
}
