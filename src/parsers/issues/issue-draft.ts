import type { Severity } from '../../tags/severities.ts';
import type { ReviewIssue } from '../answers/answer-types.ts';
import type { IssueEntry } from './issue-entries.ts';
import { readIssueFields } from './issue-fields.ts';
import { readIssueHead } from './issue-head.ts';
import { findLocation, type IssueLocation } from './issue-location.ts';

/** An issue whose lines are still being collected. */
export interface IssueDraft {
  readonly severity: Severity | null;
  /** Its first line, without a severity. */
  readonly head: string;
  readonly entries: IssueEntry[];
  /** The file that a heading above it names. */
  readonly file: IssueLocation | null;
  /** True if it was opened by a heading: lists below it are its details, not further issues. */
  readonly absorbsLists: boolean;
  /** The kind of list that the issue is an item of; null if it is none. */
  readonly item: ListKind | null;
}

export type ListKind = 'ordered' | 'bullets';

export function finishIssue(draft: IssueDraft): ReviewIssue {
  const head = readIssueHead(draft.head);
  const fields = readIssueFields(draft.entries);
  const severity = draft.severity ?? fields.severity;
  const text = [head.rest, fields.text].filter((part) => part !== '').join('\n');
  return {
    severity: severity ?? 'important',
    severityInferred: severity === null,
    title: head.title || (text.split('\n')[0] ?? '') || fields.remedy?.split('\n')[0] || 'Untitled',
    text,
    location: head.location ?? fields.location ?? placedIn(text) ?? draft.file,
    quote: fields.quote,
    remedy: fields.remedy,
    ...(fields.claim === null ? {} : { claim: fields.claim }),
    ...(fields.replacement === null ? {} : { replacement: fields.replacement }),
  };
}

/** Returns the place in running text, only if it has a line number. */
function placedIn(text: string): IssueLocation | null {
  const location = findLocation(text)?.location ?? null;
  return location?.startLine === null ? null : location;
}
