/** Recognizes the findings of an earlier review among those of a later one. */
import type { Finding } from '../../events/collab-event.ts';
import { groupBy } from '../group-by.ts';
import { linesOfText, weightOf } from './anchor-line.ts';
import { normaliseTitle } from './fingerprint.ts';
import type { FormerFinding } from './known-findings.ts';

export interface FindingPair<Former> {
  readonly former: Former;
  readonly present: Finding;
}

/**
 * Pairs findings with the same claim at the same anchor, the surest pairs first; each finding is in one pair at most.
 */
export function matchFindings<Former extends FormerFinding>(
  former: readonly Former[],
  present: readonly Finding[],
): readonly FindingPair<Former>[] {
  const later = readFindings(present);
  const candidates = readFindings(former).flatMap((one, index) =>
    later.flatMap((other, otherIndex) => {
      const likeness = compare(one, other);
      return likeness === null ? [] : [{ index, otherIndex, likeness }];
    }),
  );
  const pairs: FindingPair<Former>[] = [];
  const [used, usedLater] = [new Set<number>(), new Set<number>()];
  for (const { index, otherIndex } of candidates.toSorted(surestFirst)) {
    const [one, other] = [former[index], present[otherIndex]];
    if (one === undefined || other === undefined || used.has(index) || usedLater.has(otherIndex)) continue;
    used.add(index);
    usedLater.add(otherIndex);
    pairs.push({ former: one, present: other });
  }
  return pairs;
}

interface ReadFinding<Read extends FormerFinding> {
  readonly finding: Read;
  /** The quoted lines, with normalized white space. */
  readonly lines: ReadonlySet<string>;
  readonly title: string;
  readonly words: ReadonlySet<string>;
  /** The ordinals of all findings whose anchors differ only in it, in order. */
  readonly ordinals: readonly number[];
}

function readFindings<Read extends FormerFinding>(findings: readonly Read[]): readonly ReadFinding<Read>[] {
  const twins = groupBy(findings, twinKey);
  return findings.map((finding) => {
    const title = normaliseTitle(finding.title);
    const ordinals = (twins.get(twinKey(finding)) ?? []).map(({ anchor }) => anchor?.ordinal ?? 0);
    return {
      finding,
      lines: new Set(linesOfText(finding.quote ?? null)),
      title,
      words: new Set(title.split(' ')),
      ordinals: [...new Set(ordinals)].toSorted((one, other) => one - other),
    };
  });
}

function twinKey({ path, anchor }: FormerFinding): string {
  return JSON.stringify([path, anchor?.line, anchor?.symbol]);
}

/** Numbers in the order of their importance; the higher ones are surer. */
type Likeness = readonly number[];

interface Candidate {
  readonly likeness: Likeness;
}

function surestFirst({ likeness: left }: Candidate, { likeness: right }: Candidate): number {
  return left.map((value, index) => (right[index] ?? 0) - value).find((difference) => difference !== 0) ?? 0;
}

/** Returns null if they are not the same finding. */
function compare(former: ReadFinding<FormerFinding>, present: ReadFinding<Finding>): Likeness | null {
  if (claimsDiffer(former, present)) return null;
  const place = samePlace(former, present);
  return place === null
    ? null
    : [
        ...place,
        sameClass(former, present),
        shareOf(former.words, present.words),
        sameSeverity(former, present),
      ];
}

/** Titles are reworded each time; classes, rules and equal titles are not. */
function claimsDiffer(former: ReadFinding<FormerFinding>, present: ReadFinding<Finding>): boolean {
  const [one, other] = [former.finding, present.finding];
  if (areDifferent(one.claim, other.claim)) return true;
  return former.title !== present.title && areDifferent(one.source, other.source);
}

/** A finding without a class, or without a rule, may be the same as any other. */
function areDifferent(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function samePlace(one: ReadFinding<FormerFinding>, other: ReadFinding<Finding>): Likeness | null {
  const [former, present] = [one.finding, other.finding];
  const [anchor, anchorNow] = [former.anchor ?? null, present.anchor ?? null];
  const distance = distanceOf(one, other);
  const isSameIdentity = former.identity === present.identity || former.identity === present.first_identity;
  if (isSameIdentity && (anchor === null || distance === 0)) return [4, 0, 0, 0];
  if (former.path !== present.path)
    return former.line_now === 'moved' && isMoved(one, other) ? [1, 0, 0, 0] : null;
  if (one.lines.size === 0 || other.lines.size === 0) return one.title === other.title ? [3, 0, 0, 0] : null;
  const isSame = anchor !== null && anchor.line === anchorNow?.line;
  const isQuoted = anchorNow !== null && one.lines.has(anchorNow.line);
  const isQuotedNow = anchor !== null && other.lines.has(anchor.line);
  if (!isSame && !isQuoted && !isQuotedNow) return null;
  const isInSymbol = anchor !== null && anchor.symbol !== null && anchor.symbol === anchorNow?.symbol;
  return [isSame ? 3 : 2, isInSymbol ? 1 : 0, shareOf(one.lines, other.lines), -distance];
}

/** If both reviews found something at as many equal lines, the first belongs to the first, and so on. */
function distanceOf(one: ReadFinding<FormerFinding>, other: ReadFinding<Finding>): number {
  const [ordinal, ordinalNow] = [one.finding.anchor?.ordinal ?? 0, other.finding.anchor?.ordinal ?? 0];
  const isAsMany =
    twinKey(one.finding) === twinKey(other.finding) && one.ordinals.length === other.ordinals.length;
  return isAsMany
    ? Math.abs(one.ordinals.indexOf(ordinal) - other.ordinals.indexOf(ordinalNow))
    : Math.abs(ordinal - ordinalNow);
}

/** Fewer letters and digits, and the same lines may be written anywhere. */
const tellingWeight = 12;

/** A finding whose lines are gone from their file is recognized elsewhere only by all of them. */
function isMoved({ lines }: ReadFinding<FormerFinding>, { lines: linesNow }: ReadFinding<Finding>): boolean {
  const text = [...lines].join('\n');
  return weightOf(text) >= tellingWeight && text === [...linesNow].join('\n');
}

/** Returns the share of the items of either set that both have. */
function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((item) => other.has(item)).length;
  return shared / (one.size + other.size - shared);
}

function sameClass(
  { finding: former }: ReadFinding<FormerFinding>,
  { finding: present }: ReadFinding<Finding>,
): number {
  return former.claim !== undefined && former.claim === present.claim ? 1 : 0;
}

function sameSeverity(
  { finding: former }: ReadFinding<FormerFinding>,
  { finding: present }: ReadFinding<Finding>,
): number {
  return former.severity === present.severity ? 1 : 0;
}

/** Returns true if the line that identifies the finding is not among these, which have normalized white space. */
export function lacksAnchor({ anchor, quote }: FormerFinding, lines: ReadonlySet<string>): boolean {
  const wanted = anchor === undefined ? linesOfText(quote ?? null) : [anchor.line];
  return wanted.length > 0 && wanted.every((line) => !lines.has(line));
}
