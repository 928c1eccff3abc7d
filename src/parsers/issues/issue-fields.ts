import { issueGaps } from '../../tags/answer-gaps.ts';
import { readClaimClass, type ClaimClass } from '../../tags/claims.ts';
import type { Severity } from '../../tags/severities.ts';
import type { ReviewIssue } from '../answers/answer-types.ts';
import type { IssueEntry } from './issue-entries.ts';
import { findLocation, looksLikePath, parseLocation, type IssueLocation } from './issue-location.ts';
import { readQuote } from './issue-quote.ts';
import { readSeverityPrefix, readSeverityHeading } from './issue-severity.ts';

export interface IssueFields {
  readonly text: string;
  readonly remedy: string | null;
  readonly location: IssueLocation | null;
  readonly severity: Severity | null;
  readonly quote: ReviewIssue['quote'];
  readonly claim: ClaimClass | null;
  readonly replacement: string | null;
}

type Field = 'text' | 'remedy' | 'location' | 'severity' | 'quote' | 'claim' | 'replacement';

const labels: readonly (readonly [Field, string])[] = [
  [
    'remedy',
    'suggested fix|proposed fix|recommended fix|how to fix|fix|remedy|recommendation|suggestion|solution|修正案|修正方法|修正|対応策|対応|対策|改善案|改善|提案|推奨',
  ],
  [
    'text',
    'why it matters|why|reason|impact|problem|issue|claim|explanation|description|details?|risk|consequence|理由|なぜ|影響|問題点|問題|説明|詳細|内容',
  ],
  ['location', 'location|files?|where|lines?|path|場所|ファイル|位置|該当箇所|箇所'],
  ['severity', 'severity|grade|priority|重要度|深刻度'],
  ['quote', 'quotation|quote|code|evidence|引用|コード|該当コード'],
  ['claim', 'class|claim class|category|分類|種別|カテゴリ'],
  ['replacement', 'replacement|replacement code|置換|置き換え'],
];
const labelPatterns = labels.map(
  ([field, words]) =>
    [
      field,
      new RegExp(
        `^\\s*(?:[-*+•]\\s+)?(?:\\*\\*|__|\\*|_)?(?:${words})(?:\\*\\*|__|\\*|_)?\\s*[:：](?:\\*\\*|__|\\*|_)?\\s*(.*)$`,
        'isu',
      ),
    ] as const,
);

/** Reads `Why:`, `Fix:`, `Location:` and the quotation from an issue's lines; unlabeled lines are its text. */
export function readIssueFields(entries: readonly IssueEntry[]): IssueFields {
  const collected: Record<Field, string[]> = {
    text: [],
    remedy: [],
    location: [],
    severity: [],
    quote: [],
    claim: [],
    replacement: [],
  };
  let field: Field = 'text';
  /** The number of lines of the text above the first label. */
  let leading = Infinity;
  let quote: ReviewIssue['quote'] = null;
  const replacements: CodeEntry[] = [];
  for (const entry of entries) {
    const read: ReviewIssue['quote'] =
      entry.kind === 'code' && quote === null && !isFix(field) ? quoteIn(entry) : null;
    if (read !== null) quote = read;
    else if (entry.kind === 'code' && field === 'replacement') replacements.push(entry);
    else if (entry.kind === 'code') collected[isFix(field) ? 'remedy' : 'text'].push(entry.raw);
    else {
      const label = readLabel(entry.text);
      field = label?.field ?? (goesOn(field, collected[field], entry.text) ? field : 'text');
      if (label !== null) leading = Math.min(leading, collected.text.length);
      collected[field].push(label?.rest ?? entry.text);
    }
  }
  const places = collected.location.join(' ').trim();
  const onLabel = quoteOnLabel(collected.quote);
  const spans = quote === null && onLabel === null ? spanCount(collected.text.slice(0, leading)) : 0;
  const inline = quoteInSpans(collected.text.slice(0, spans));
  const replacement = replacementIn(replacements);
  const unread = replacement === null ? replacements.map(({ raw }) => raw) : [];
  return {
    text: joined([...collected.text.slice(spans), ...(onLabel === null ? collected.quote : [])]),
    remedy: joined([...collected.remedy, ...unread]) || null,
    location: places === '' ? null : (findLocation(places)?.location ?? parseLocation(places)),
    severity: severityIn(collected.severity.join(' ')),
    quote: quote ?? onLabel ?? inline,
    claim: readClaimClass(collected.claim[0] ?? ''),
    replacement,
  };
}

/** A class outside the set and a replacement without a fence are text, so that nothing of the answer is lost. */
export function readLabel(text: string): { readonly field: Field; readonly rest: string } | null {
  for (const [field, pattern] of labelPatterns) {
    const rest = pattern.exec(text)?.[1];
    if (rest === undefined) continue;
    if (field === 'claim' && readClaimClass(rest) === null) return null;
    if (field === 'replacement' && rest.trim() !== '') return null;
    return { field, rest };
  }
  return null;
}

function isFix(field: Field): boolean {
  return field === 'remedy' || field === 'replacement';
}

type CodeEntry = Extract<IssueEntry, { kind: 'code' }>;

/** Returns the only fence below its label. Two fences, a diff or a fence that was cut off do not say what takes the place of the lines. */
function replacementIn([first, second]: readonly CodeEntry[]): string | null {
  if (first === undefined || second !== undefined) return null;
  const { code, language, raw } = first;
  if (language === 'diff' || !isClosed(raw)) return null;
  if (code === issueGaps.replacement) return null;
  return code.trim() === '' ? '' : code.replaceAll(/\r\n?/g, '\n');
}

/** Markdown ends a fence without a closing line with its section, as in an answer that was cut off. */
function isClosed(raw: string): boolean {
  const [opening, ...lines] = raw.trim().split('\n');
  const mark = /^(?:`{3,}|~{3,})/.exec(opening ?? '')?.[0];
  const last = lines.at(-1)?.trim() ?? '';
  return mark !== undefined && last.startsWith(mark) && new Set(last).size === 1;
}

/** Ignores a `suggestion` block, which contains the proposed code. */
function quoteIn({ code, language }: CodeEntry): ReviewIssue['quote'] {
  return language === 'suggestion' ? null : readQuote(code, language);
}

/** Reads `Code: \`open()\`` on one line without a following fence. */
function quoteOnLabel(lines: readonly string[]): ReviewIssue['quote'] {
  const code = /^(`+)(.+)\1$/.exec(lines.join(' ').trim())?.[2];
  return code === undefined ? null : readQuote(code.trim(), null);
}

const wholeSpan = /^\s*(?:[-*+•>]\s+)?(?:`([^`\n]+)`|(``+)(?!`) ?(.+?) ?(?<!`)\2)\s*$/u;

/** Reads lines that are one code span each, below the head: inline code instead of a fence. */
function quoteInSpans(lines: readonly string[]): ReviewIssue['quote'] {
  const codes = lines.map((line) => wholeSpan.exec(line)).flatMap((match) => match?.[1] ?? match?.[3] ?? []);
  return codes.length === 0 ? null : readQuote(codes.join('\n'), null);
}

/** Counts the lines before the first one with other text. */
function spanCount(lines: readonly string[]): number {
  const other = lines.findIndex((line) => line.trim() !== '' && !isCodeSpan(line));
  return other === -1 ? lines.length : other;
}

/** A place in backticks is not code. */
function isCodeSpan(line: string): boolean {
  const match = wholeSpan.exec(line);
  const place = match === null ? null : parseLocation(match[1] ?? match[3] ?? '');
  return match !== null && (place === null || !looksLikePath(place.path));
}

/**
 * Checks whether a line continues a field: a reason and a remedy may have several lines; a place may be on the line
 * below its label.
 */
function goesOn(field: Field, lines: readonly string[], text: string): boolean {
  if (field === 'location') return lines.join('') === '' && findLocation(text) !== null;
  if (field === 'replacement') return lines.join('').trim() === '' && text.trim() === '';
  return field === 'text' || field === 'remedy';
}

function severityIn(text: string): Severity | null {
  return (readSeverityHeading(text) ?? readSeverityPrefix(text))?.severity ?? null;
}

function joined(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}
