import type { LineSpan, Malformation, ReviewIssue } from '../answers/answer-types.ts';
import { saysNoProblem } from '../answers/none-words.ts';
import { collectIssues } from './issue-collector.ts';
import type { MarkdownDocument } from '../markdown/markdown-document.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { essenceOf } from '../answers/read-block.ts';

export type IssuesReading =
  | { readonly kind: 'read'; readonly issues: readonly ReviewIssue[] }
  | { readonly kind: 'malformed'; readonly malformations: readonly Malformation[] };

/**
 * Reads the text of an `ISSUES` section. A recognized "none" means no issues; neither "none" nor items is malformed.
 */
export function readIssues(text: string): IssuesReading {
  const document = parseMarkdown(text);
  return readIssueLines(document, [{ start: 1, end: document.lines.length }]);
}

/** Reads a section in a parsed document in the same way. */
export function readIssueLines(document: MarkdownDocument, spans: readonly LineSpan[]): IssuesReading {
  if (saysNoProblem(essenceOf(document, spans))) return { kind: 'read', issues: [] };
  const { issues, saysNone, unanswered, stray } = collectIssues(document, spans);
  if (issues.length > 0) return { kind: 'read', issues };
  if (saysNone && !stray && unanswered.length === 0) return { kind: 'read', issues: [] };
  const details = unanswered.map((title) => `\`${title}\` holds neither a problem nor the word None`);
  return {
    kind: 'malformed',
    malformations: (details.length > 0 && !stray
      ? details
      : ['it holds neither a list of problems nor the single word None']
    ).map((detail) => ({ section: 'ISSUES', detail })),
  };
}
