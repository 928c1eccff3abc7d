/** Distinguishes a list of details, such as several reasons under `Why:`, from a list of further issues. */
import type { IssueDraft, ListKind } from './issue-draft.ts';
import { isBlank } from './issue-shapes.ts';
import { readLabel } from './issue-fields.ts';
import { readIssueHead } from './issue-head.ts';

/**
 * Checks whether an item belongs to the open issue. Markdown ends a numbered item at a bullet with too little indent, so
 * that the bullets of its reasons are read as items beside it.
 */
export function holdsDetails(open: IssueDraft, kind: ListKind, head: string): boolean {
  if (open.absorbsLists) return true;
  if (isTitled(head)) return false;
  if (open.item === null || open.item === kind)
    return isBold(open.head) && !isBold(head) && announcesList(open);
  return open.entries.some((entry) => !isBlank(entry));
}

/** The requested form: `**Title** — \`place\``. */
function isTitled(head: string): boolean {
  const { title, location } = readIssueHead(head);
  return (
    isBold(head) &&
    title !== '' &&
    location !== null &&
    /^\s*(?:\*\*|__).+?(?:\*\*|__)\s+[—–-]+\s+`/.test(head)
  );
}

function isBold(head: string): boolean {
  return /^\s*(?:\*\*|__)\S/.test(head);
}

/** Checks whether the text of the last field begins with a line that ends with a colon, and has only items below it. */
function announcesList({ entries }: IssueDraft): boolean {
  const last = entries.findLast((entry) => !isBlank(entry) && !isItem(entry));
  if (last?.kind !== 'line') return false;
  return readLabel(last.text)?.rest.trim() === '' || /[:：](?:\*\*|__)?\s*$/.test(last.text);
}

function isItem(entry: IssueDraft['entries'][number]): boolean {
  return entry.kind === 'line' && /^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(entry.text);
}
