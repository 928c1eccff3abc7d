import type { Code, ListItem, Nodes, RootContent } from 'mdast';
import type { LineSpan } from '../answers/answer-types.ts';
import { readClaimClass } from '../../tags/claims.ts';
import { isEmptyWord } from '../answers/none-words.ts';
import type { IssueRow } from './issue-table.ts';
import { linesIn, spanOf, type MarkdownDocument } from '../markdown/markdown-document.ts';

/** The parts of an issue: its lines without the item's indent, and its code blocks whole. */
export type IssueEntry =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'code'; readonly code: string; readonly language: string | null; readonly raw: string };

export function entriesOfItem(document: MarkdownDocument, item: ListItem): readonly IssueEntry[] {
  const column = item.children[0]?.position?.start.column ?? (item.position?.start.column ?? 1) + 2;
  return entriesOf(document, { node: item, span: spanOf(item), indent: column - 1 });
}

export function entriesOfNode(
  document: MarkdownDocument,
  node: RootContent,
  span: LineSpan,
): readonly IssueEntry[] {
  return entriesOf(document, { node, span, indent: 0 });
}

/** Converts a table's row into the labeled lines of an equivalent item. */
export function entriesOfRow(row: IssueRow): readonly IssueEntry[] {
  const code = row.quote.replace(/^`+/, '').replace(/`+$/, '');
  return [
    ...labelled('Class', readClaimClass(row.claim) ?? ''),
    ...labelled('Location', isEmptyWord(row.location) ? '' : row.location),
    ...labelled('Why', row.text),
    ...(code === '' ? [] : [{ kind: 'code' as const, code, language: null, raw: row.quote }]),
    ...labelled('Fix', row.remedy),
  ];
}

function labelled(label: string, text: string): readonly IssueEntry[] {
  return text === '' ? [] : [lineEntry(`${label}: ${text}`)];
}

export function lineEntry(text: string): IssueEntry {
  return { kind: 'line', text };
}

function entriesOf(
  document: MarkdownDocument,
  { node, span, indent }: { node: Nodes; span: LineSpan; indent: number },
): readonly IssueEntry[] {
  const codes = new Map(codesIn(node).map((code) => [spanOf(code).start, code]));
  const first = spanOf(node).start;
  const entries: IssueEntry[] = [];
  for (let number = span.start; number <= span.end; number += 1) {
    const code = codes.get(number);
    const textOf = (line: { readonly number: number; readonly text: string }) =>
      dedent(line.text, indent, line.number === first);
    const lines = linesIn(document, code === undefined ? { start: number, end: number } : spanOf(code));
    if (code === undefined)
      entries.push(...lines.map((line) => ({ kind: 'line' as const, text: textOf(line) })));
    else {
      entries.push({
        kind: 'code',
        code: code.value,
        language: code.lang ?? null,
        raw: lines.map(textOf).join('\n'),
      });
      number = spanOf(code).end;
    }
  }
  return entries;
}

/**
 * Removes the indent: the first line of an item has its bullet there, the others have spaces; a lazy line may have
 * fewer.
 */
function dedent(text: string, indent: number, isFirst: boolean): string {
  if (isFirst) return text.slice(indent);
  const blanks = /^[ \t]*/.exec(text)?.[0].length ?? 0;
  return text.slice(Math.min(indent, blanks));
}

function codesIn(node: Nodes): readonly Code[] {
  const found: Code[] = [];
  const waiting: Nodes[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.type === 'code') found.push(next);
    else if ('children' in next && next.type !== 'paragraph') waiting.push(...next.children);
  }
  return found;
}
