/** Recognizes the kinds of lines in an `ISSUES` section. */
import type { IssueEntry } from './issue-entries.ts';
import { findLocation, looksLikePath, parseLocation, type IssueLocation } from './issue-location.ts';

export function isBlank(entry: IssueEntry): boolean {
  return entry.kind === 'line' && entry.text.trim() === '';
}

export function isNumbered(text: string): boolean {
  return /^[^\p{L}\p{N}]*\d{1,3}[.)]\s/u.test(text);
}

/**
 * Returns true for a line that can open a group: with emphasis, a colon or a capital first letter. A lower-case "minor"
 * may end a wrapped sentence.
 */
export function isGroupLine(text: string): boolean {
  return /[*_:：]|^[^\p{Ll}]*\p{Lu}/u.test(text.trim());
}

export function namesALine(text: string): boolean {
  return typeof findLocation(text)?.location.startLine === 'number';
}

/** Recognizes a heading over remarks, not over an issue. */
export function headsRemarks(text: string): boolean {
  return /^[^\p{L}]*(?:overall|summary|overview|conclusion|verdict|notes?|概要|まとめ|総評|結論|所見)[^\p{L}]*$/iu.test(
    text,
  );
}

export function isFileName(head: string): boolean {
  const name = head
    .replaceAll(/[*`]/g, '')
    .replace(/[:：]\s*$/, '')
    .trim();
  return looksLikePath(name);
}

export function fileNamedBy(text: string): IssueLocation | null {
  const found = findLocation(text);
  return found?.location ?? (isFileName(text) ? parseLocation(text.replaceAll(/[*`:]/g, '')) : null);
}
