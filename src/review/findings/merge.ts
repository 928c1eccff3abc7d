import type { Finding } from '../../events/collab-event.ts';
import { compareSeverity } from '../../tags/tags.ts';
import type { PlacedIssue } from './anchors.ts';
import { identityBeside, identityOf, normaliseTitle, type FindingKey } from './fingerprint.ts';

/** What one exchange of a review says. */
export interface ChunkAnswer {
  readonly placed: readonly PlacedIssue[];
  readonly strengths: readonly string[];
  readonly suggestions: readonly string[];
}

export interface MergedReview {
  readonly findings: readonly Finding[];
  readonly strengths: readonly string[];
  readonly suggestions: readonly string[];
}

export function mergeReview(answers: readonly ChunkAnswer[]): MergedReview {
  return {
    findings: mergeFindings(answers.map(({ placed }) => placed)),
    strengths: mergeNotes(answers.map(({ strengths }) => strengths)),
    suggestions: mergeNotes(answers.map(({ suggestions }) => suggestions)),
  };
}

/**
 * One list out of those of all chunks: what two chunks say of one quotation under one title is one finding, of the worst
 * severity and with both texts. Worst first, then by place; `F1`, `F2` … in that order.
 */
export function mergeFindings(perChunk: readonly (readonly PlacedIssue[])[]): readonly Finding[] {
  return groupBy(perChunk.flat(), (placed) => identityOf(keyOf(placed)))
    .flatMap(findingsOnQuotation)
    .toSorted(compareFindings)
    .map((finding, index) => ({ ...finding, id: `F${index + 1}` }));
}

/** In order, each once; wording that differs only in case, space or punctuation counts as the same. */
export function mergeNotes(perChunk: readonly (readonly string[])[]): readonly string[] {
  return groupBy(perChunk.flat(), (note) => normaliseTitle(note) || note).flatMap((same) => same.slice(0, 1));
}

function keyOf({ issue, place }: PlacedIssue): FindingKey {
  return { path: place.path, quote: place.quote, ordinal: place.ordinal, title: issue.title };
}

/** The first of several findings on one quotation keeps its identity, the others have the title in theirs. */
function findingsOnQuotation(placed: readonly PlacedIssue[]): readonly Finding[] {
  return groupBy(placed, ({ issue }) => normaliseTitle(issue.title))
    .map((same) => same.toSorted((left, right) => compareSeverity(left.issue.severity, right.issue.severity)))
    .toSorted(compareGroups)
    .flatMap((same, index) => same.slice(0, 1).map((worst) => mergeSame(worst, same, index === 0)));
}

function compareGroups([left]: readonly PlacedIssue[], [right]: readonly PlacedIssue[]): number {
  if (left === undefined || right === undefined) return 0;
  return (
    compareSeverity(left.issue.severity, right.issue.severity) ||
    compareTexts(normaliseTitle(left.issue.title), normaliseTitle(right.issue.title))
  );
}

function mergeSame(worst: PlacedIssue, same: readonly PlacedIssue[], isFirst: boolean): Finding {
  const { issue, place } = worst;
  const remedy = joinTexts(same.map((placed) => placed.issue.remedy ?? ''));
  return {
    id: '',
    identity: isFirst ? identityOf(keyOf(worst)) : identityBeside(keyOf(worst)),
    severity: issue.severity,
    ...(issue.severityInferred ? { severity_inferred: true } : {}),
    title: issue.title,
    body: joinTexts(same.map((placed) => placed.issue.text)),
    ...(remedy === '' ? {} : { remedy }),
    path: place.path,
    start_line: place.startLine,
    end_line: place.endLine,
    side: place.side,
    placement: place.placement,
    quote: place.quote,
    verdict: 'unverified',
  };
}

/** Each text once, in order. */
function joinTexts(texts: readonly string[]): string {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '').join('\n\n');
}

function compareFindings(left: Finding, right: Finding): number {
  return (
    compareSeverity(left.severity, right.severity) ||
    Number(left.path === null) - Number(right.path === null) ||
    compareTexts(left.path ?? '', right.path ?? '') ||
    (left.start_line ?? 0) - (right.start_line ?? 0) ||
    compareTexts(left.title, right.title) ||
    compareTexts(left.identity, right.identity)
  );
}

/** No locale, so that every machine orders alike. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function groupBy<Item>(
  items: readonly Item[],
  keyOfItem: (item: Item) => string,
): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
