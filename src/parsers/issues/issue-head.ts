import { findLocation, parseLocation, type IssueLocation } from './issue-location.ts';

export interface IssueHead {
  readonly title: string;
  readonly location: IssueLocation | null;
  /** The text of the heading line after its title. */
  readonly rest: string;
}

/** Reads the first line of an issue: in the requested form, or in a variant by an agent. */
export function readIssueHead(line: string): IssueHead {
  const head = line
    .trim()
    .replace(/^\[[ xX]\]\s+/, '')
    .replace(/^#?\d{1,3}[.)]\s+/, '');
  if (head.length > longestHead) return longHead(head);
  return askedHead(head) ?? freeHead(head);
}

/** In characters; a longer line is a text without a title, and its patterns would take too long. */
const longestHead = 2000;

function longHead(head: string): IssueHead {
  const title = `${head
    .slice(0, 100)
    .replaceAll(/[*_]{2}/g, '')
    .trim()}…`;
  return { title, location: findLocation(head)?.location ?? null, rest: head };
}

/** Reads `**Title** — \`place\``, or the title alone. */
function askedHead(head: string): IssueHead | null {
  const asked = /^\*\*(.+)\*\*(?:[ \t]+[—–-]+[ \t]+(`+)[ \t]?(.+?)[ \t]?\2)?$/s.exec(head);
  if (asked === null) return null;
  const [, title = '', , place] = asked;
  if (isPlaceOnly(title)) return null;
  if (place !== undefined) return { title: title.trim(), location: parseLocation(place), rest: '' };
  if (title.includes('**')) return null;
  const location = findLocation(title)?.location ?? null;
  return { title: title.replace(/[:：]\s*$/, '').trim(), location, rest: '' };
}

function freeHead(head: string): IssueHead {
  const bold = /^[^\p{L}\p{N}*_`]*(\*\*|__)(.+?)\1(.*)$/su.exec(head);
  return bold === null ? plainHead(head) : boldHead(bold[2] ?? '', bold[3] ?? '');
}

/** Reads `**Title** (\`a.ts:4\`): text`, or `**a.ts:4** — text`. */
function boldHead(strong: string, behind: string): IssueHead {
  if (isPlaceOnly(strong)) {
    const head = readIssueHead(withoutConnectors(behind));
    return { ...head, location: findLocation(strong)?.location ?? head.location };
  }
  const found = findLocation(behind) ?? findLocation(strong);
  const place = findLocation(behind);
  const rest = place === null ? behind : cut(behind, place.start, place.end);
  const title = withoutConnectors(strong.replace(/[:：.]\s*$/, ''));
  return { title, location: found?.location ?? null, rest: withoutConnectors(rest) };
}

function plainHead(head: string): IssueHead {
  const found = findLocation(head);
  const words = found === null ? head : aroundPlace(head, found.start, found.end);
  const sentence = /^(.+?[.!?](?=\s)|.+?[。！？])\s*(.*)$/s.exec(words);
  const [title, rest] = sentence === null ? [words, ''] : [sentence[1] ?? '', sentence[2] ?? ''];
  return { title: title.trim(), location: found?.location ?? null, rest: rest.trim() };
}

/** Removes a place at either end; keeps one in the middle of a sentence. */
function aroundPlace(head: string, start: number, end: number): string {
  const [before, behind] = [head.slice(0, start), head.slice(end)];
  if (/^[\s([（*]*$/.test(before)) return withoutConnectors(behind) || head;
  if (/^[\s)\].）。*]*$/.test(behind)) return withoutConnectors(before) || head;
  return /[([（—–]\s*$/.test(before) ? withoutConnectors(cut(head, start, end)) || head : head;
}

function cut(text: string, start: number, end: number): string {
  const before = text
    .slice(0, start)
    .replace(/[([（—–]\s*$/, '')
    .trimEnd();
  const behind = text.slice(end).replace(/^\s*[)\]）]/, '');
  return withoutConnectors(before) === '' ? behind : `${before} ${behind.trimStart()}`.trim();
}

function isPlaceOnly(text: string): boolean {
  const found = findLocation(text);
  return found !== null && /^[^\p{L}\p{N}]*$/u.test(text.slice(0, found.start) + text.slice(found.end));
}

function withoutConnectors(text: string): string {
  return text
    .replace(/^(?:[\s—–:：)\]）,]|-(?=\s))+/, '')
    .replace(/(?:[\s—–:：([（,@]|\s-|(?:^|\s)(?:in|at|on))+$/i, '')
    .trim();
}
