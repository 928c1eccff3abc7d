import type { Nodes, RootContent } from 'mdast';
import { isClosingLine } from '../../tags/closing-line.ts';
import type { Tag } from '../../tags/tags.ts';
import type { DiscountCause, LineSpan } from '../answers/answer-types.ts';
import { createHtmlNesting, type HtmlNesting } from './html-nesting.ts';
import { coverOfLine } from './inline-cover.ts';
import {
  linesIn,
  spanOf,
  type MarkdownDocument,
  type SourceLine,
  type TextLine,
} from './markdown-document.ts';
import { readMarkerLine, tagsNamedIn, type MarkerLine } from './marker-line.ts';

export interface Marker extends MarkerLine {
  /** The marker's own lines; the block's content starts after them. */
  readonly line: number;
  readonly endLine: number;
}

export interface DiscountedTag {
  readonly tag: Tag;
  readonly cause: DiscountCause;
}

export interface FoundClosing {
  readonly line: number;
  /**
   * False in the last line of a list or quote without an empty line before it: it ends the text, but closes nothing.
   */
  readonly counts: boolean;
}

export interface FoundMarkers {
  readonly counted: readonly Marker[];
  readonly discounted: readonly DiscountedTag[];
  /** From a marker that an open HTML element hides to the end of that element: no section extends into it. */
  readonly hidden: readonly LineSpan[];
  readonly closings: readonly FoundClosing[];
}

/** Separates the tags that count as markers from those in places that do not count. */
export function findMarkers(document: MarkdownDocument, closing: string | null = null): FoundMarkers {
  const nesting = createHtmlNesting();
  const counted: Marker[] = [];
  const discounted: DiscountedTag[] = [];
  const hidden: LineSpan[] = [];
  const closings: FoundClosing[] = [];
  let hiddenFrom: number | null = null;
  for (const node of document.nodes) {
    for (const line of linesIn(document, spanOf(node))) {
      if (closing !== null && isClosingLine(line.text, closing)) {
        closings.push(...judgeClosing(document, { node, line, nesting }));
      }
      const mentions = tagsNamedIn(line.text);
      if (mentions.length === 0) continue;
      const verdict = judgeLine(document, {
        node,
        line,
        textLine: document.textLines.get(line.number),
        nesting,
      });
      if (typeof verdict === 'string') {
        discounted.push(...mentions.map(({ tag }) => ({ tag, cause: verdict })));
        if (nesting.isOpen() && readMarkerLine(line.text) !== null) hiddenFrom ??= line.number;
      } else counted.push(verdict);
    }
    if (node.type === 'html') nesting.read(node.value);
    if (hiddenFrom === null || nesting.isOpen()) continue;
    hidden.push({ start: hiddenFrom, end: spanOf(node).start - 1 });
    hiddenFrom = null;
  }
  return { counted, discounted, hidden, closings };
}

function judgeClosing(
  document: MarkdownDocument,
  { node, line, nesting }: Omit<LineInNode, 'textLine'>,
): readonly FoundClosing[] {
  if (nesting.isOpen()) return [];
  const textLine = document.textLines.get(line.number);
  if (textLine === undefined) {
    const continues = causeInContainer(node, line) === 'lazy_continuation';
    return continues ? [{ line: line.number, counts: false }] : [];
  }
  const indent = line.text.length - line.text.trimStart().length;
  return coverOfLine(document, textLine, indent) === null ? [{ line: line.number, counts: true }] : [];
}

interface LineInNode {
  readonly node: RootContent;
  readonly line: SourceLine;
  readonly textLine: TextLine | undefined;
  readonly nesting: HtmlNesting;
}

function judgeLine(
  document: MarkdownDocument,
  { node, line, textLine, nesting }: LineInNode,
): Marker | DiscountCause {
  if (textLine === undefined) return causeInContainer(node, line);
  const marker = readMarkerLine(line.text);
  const column = marker?.column ?? tagsNamedIn(line.text)[0]?.column ?? 0;
  const cover = coverOfLine(document, textLine, column);
  if (cover !== null) return cover;
  if (marker === null) return 'prose';
  if (nesting.isOpen()) return nesting.isOpen('details') ? 'inside_details' : 'html';
  return { ...marker, line: line.number, endLine: textLine.endLine };
}

function causeInContainer(root: RootContent, line: SourceLine): DiscountCause {
  const path = pathToLine(root, line.number);
  const leaf = path.at(-1);
  if (leaf?.type === 'code') return 'code_fence';
  if (leaf?.type === 'html') return 'html';
  if (leaf?.type === 'paragraph' && isLazy(path, leaf, line)) return 'lazy_continuation';
  if (root.type === 'blockquote') return 'quote';
  return root.type === 'list' ? 'list' : 'prose';
}

/** Returns the blocks around a line, outermost first. */
function pathToLine(root: Nodes, line: number): readonly Nodes[] {
  const path: Nodes[] = [root];
  for (let node: Nodes | undefined = root; node !== undefined && isContainer(node);) {
    node = node.children.find((child) => spanOf(child).start <= line && line <= spanOf(child).end);
    if (node !== undefined) path.push(node);
  }
  return path;
}

function isContainer(node: Nodes) {
  return node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem';
}

/** Recognizes a lazy continuation line: it belongs to a quote or an item but lacks its marks or indent. */
function isLazy(path: readonly Nodes[], paragraph: Nodes, line: SourceLine): boolean {
  if (line.number === spanOf(paragraph).start) return false;
  const quotes = path.filter((node) => node.type === 'blockquote').length;
  const marks = /^[ \t>]*/.exec(line.text)?.[0] ?? '';
  if (quotes > 0) return marks.split('>').length - 1 < quotes;
  return marks.length < (paragraph.position?.start.column ?? 1) - 1;
}
