import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { Anchor, Placement } from '../../events/collab-event.ts';
import { anchorIn, anchorOfText } from './anchor-line.ts';
import { findMatches, tiersFor, type AnchorMatch, type Side, type Tier } from './anchor-match.ts';
import { pathInside } from '../../text/path-inside.ts';
import { cleanPath, resolvePath } from './anchor-path.ts';
import { findCutMatches } from './anchor-cut.ts';
import {
  comparable,
  isReindented,
  readNumbered,
  readQuotations,
  trimQuotation,
  type Quotation,
} from './anchor-quote.ts';

export interface FindingPlace {
  /** The path after renames. For an unplaced issue the path that the answer claims; null if it claims none. */
  readonly path: string | null;
  readonly side: Side | null;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly placement: Placement;
  /** The lines as in the file; for an issue without a line, as in the answer. */
  readonly quote: string | null;
  /** 1 for the first place of this quotation in the file, 2 for the second; 0 without a line. */
  readonly ordinal: number;
  /** The line by which a later review recognizes the place; null if nothing is quoted. */
  readonly anchor: Anchor | null;
  /** The answer names a file that is not among the given ones. */
  readonly isElsewhere?: boolean;
}

export interface PlacedIssue {
  readonly issue: ReviewIssue;
  readonly place: FindingPlace;
  /** The pass of a deep review that reported it. */
  readonly pass?: string;
}

/**
 * Computes the place of an issue from its quotation. The claimed line only chooses between several places of the
 * quotation; an issue whose quotation is not found is unplaced: it keeps its file, never its line.
 */
export function placeIssue(issue: ReviewIssue, files: readonly DiffFile[]): FindingPlace {
  const claimed = issue.location === null ? [] : resolvePath(issue.location.path, files);
  const others = files.filter((file) => !claimed.includes(file));
  if (issue.quote !== null) {
    const searches = searchesFor(issue.quote, issue.location?.startLine ?? null);
    const first = (find: (search: Search) => FindingPlace | null) => firstOf(searches, find);
    const place =
      asClaimed(claimed, searches) ??
      first((search) => placeAmong(claimed, search)) ??
      placeCut(claimed, issue) ??
      first((search) => placeInOnlyOne(others, search));
    if (place !== null) return place;
  }
  const [file] = claimed;
  const named = issue.location === null ? '' : cleanPath(issue.location.path);
  return {
    path: file?.path ?? pathElsewhere(issue),
    ...(file === undefined && named !== '' ? { isElsewhere: true } : {}),
    side: null,
    startLine: null,
    endLine: null,
    placement: claimed.length > 0 && issue.quote === null ? 'file' : 'unplaced',
    quote: issue.quote?.text ?? null,
    ordinal: 0,
    anchor: anchorOfText(issue.quote?.text ?? null),
  };
}

/** An issue whose quotation is searched in the whole file that it names. */
export interface SearchedIssue extends PlacedIssue {
  readonly path: string;
}

/**
 * Returns the file to search for an issue whose place may be outside the change: its quotation is not in it, or only in
 * another file, or at another line than the claimed one, which the change does not show. Otherwise null.
 */
export function searchedIssue(
  { issue, place }: PlacedIssue,
  files: readonly DiffFile[],
): SearchedIssue | null {
  const { quote, location } = issue;
  if (quote === null || location === null) return null;
  const [file] = resolvePath(location.path, files);
  const path = file?.path ?? pathElsewhere(issue);
  const outside = file === undefined ? { isElsewhere: true } : {};
  const isShown = file !== undefined && showsLine(file, location.startLine);
  if (path === null || (place.startLine !== null && place.path === path && isShown)) return null;
  return { issue, place: { ...place, ...outside }, path };
}

function showsLine({ hunks }: DiffFile, line: number | null): boolean {
  return (
    line === null || hunks.some(({ newStart, newLines }) => line >= newStart && line < newStart + newLines)
  );
}

/**
 * Places an issue in the whole text of its file: reviewers also read what a change leaves as it is. The claimed line chooses
 * between several places; a place in the same file’s change is replaced only by one at the claimed line, which may be re-indented.
 */
export function placeInWhole({ issue, place, path }: SearchedIssue, file: DiffFile): FindingPlace | null {
  const { quote, location } = issue;
  if (quote === null) return null;
  const searches = searchesFor(quote, location?.startLine ?? null);
  const found =
    asClaimed(
      [file],
      searches.map((search) => ({ ...search, side: 'new', tiers: tiersFor('new') })),
    ) ??
    (place.startLine === null || place.path !== path
      ? (firstOf(searches, (search) => placeOnce(file, search)) ?? placeCut([file], issue))
      : null);
  return found === null ? null : { ...found, ...(place.isElsewhere === true ? { isElsewhere: true } : {}) };
}

/** Returns the only place of the quotation, or the one that is nearest to the claimed line; parts of lines do not count. */
function placeOnce(file: DiffFile, { quotations, tiers, line }: Search): FindingPlace | null {
  for (const tier of tiers.filter(({ touches, partial }) => touches === 'context' && !partial)) {
    const matches = matchTier([file], quotations, tier).flatMap((found) => found.matches);
    const [nearest] = matches.toSorted((left, right) => distance(left, line) - distance(right, line));
    if (nearest !== undefined && (line !== null || matches.length === 1)) return placeOf(file, nearest, tier);
  }
  return null;
}

/** Returns the answer's path of a file that is not among the given ones; null if it leads out of the repository. */
function pathElsewhere({ location }: ReviewIssue): string | null {
  if (location === null) return null;
  const isInside = pathInside(location.path.trim().replaceAll('\\', '/')) !== null;
  return isInside ? pathInside(cleanPath(location.path)) : null;
}

interface Search {
  readonly quotations: readonly Quotation[];
  /** The claimed side. */
  readonly side: Side;
  readonly tiers: readonly Tier[];
  /** The claimed line. */
  readonly line: number | null;
}

/**
 * Lists the searches for a quotation, most literal first. Marks that may belong to the file are first taken for the diff's,
 * as the answer's form asks for them.
 */
function searchesFor(
  { text, side, literal }: NonNullable<ReviewIssue['quote']>,
  line: number | null,
): readonly Search[] {
  const asRead = { quotations: readQuotations(text), side, line, tiers: tiersFor(side) };
  return [...(literal === undefined ? [asRead] : withLiteral(asRead, literal)), ...numbered(literal ?? text)];
}

function withLiteral(asRead: Search, literal: string): readonly Search[] {
  const asWritten: Search = {
    ...asRead,
    quotations: readQuotations(literal),
    side: 'new',
    tiers: tiersFor('new'),
  };
  const only = (search: Search, exactness: Tier['exactness']): Search => ({
    ...search,
    tiers: search.tiers.filter((tier) => tier.exactness === exactness),
  });
  return [only(asRead, 'exact'), only(asWritten, 'exact'), only(asWritten, 'loose'), only(asRead, 'loose')];
}

function numbered(text: string): readonly Search[] {
  return readNumbered(text).map((reading) => ({
    quotations: [reading.quotation],
    side: 'new',
    tiers: tiersFor('new'),
    line: reading.line,
  }));
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

/** Places `head … tail`: the only such place, or the one that contains the claimed line. */
function placeCut(
  files: readonly DiffFile[],
  { quote, location }: Pick<ReviewIssue, 'quote' | 'location'>,
): FindingPlace | null {
  if (quote === null) return null;
  const line = location?.startLine ?? null;
  for (const side of ['new', 'old'] as const) {
    const found = files.flatMap((file) =>
      findCutMatches(file, quote.text, side).map((match) => ({ file, match })),
    );
    const claimed = found.filter(({ match }) => line !== null && distance(match, line) === 0);
    const [only, second] = found.length === 1 ? found : claimed;
    if (only !== undefined && second === undefined)
      return placeOf(only.file, only.match, { exactness: 'loose' });
  }
  return null;
}

type SearchIn = Omit<Search, 'side'>;

interface FileMatches {
  readonly file: DiffFile;
  readonly matches: readonly AnchorMatch[];
}

/**
 * If the quotation matches the claimed line, an equal text elsewhere does not matter: agents re-indent the lines that they copy,
 * and the text without their indentation may be a line of its own.
 */
function asClaimed(files: readonly DiffFile[], searches: readonly Search[]): FindingPlace | null {
  return (
    firstOf(searches, (search) => placeAsClaimed(files, search, 'exact')) ??
    firstOf(searches, (search) => placeAsClaimed(files, search, 'loose'))
  );
}

function placeAsClaimed(
  files: readonly DiffFile[],
  { quotations, side, line, tiers }: Search,
  exactness: Tier['exactness'],
): FindingPlace | null {
  const own = tiers.filter((tier) => tier.exactness === exactness && tier.side === side && !tier.partial);
  for (const quotation of quotations) {
    for (const tier of own) {
      for (const { file, matches } of matchTier(files, [quotation], tier)) {
        const match = matches.find(({ startLine }) => startLine === line);
        if (match !== undefined && isReindented(quotation.lines, match.quote.split('\n')))
          return placeOf(file, match, tier);
      }
    }
  }
  return null;
}

/** Returns the best tier's match that is nearest to the claimed line. */
function placeAmong(files: readonly DiffFile[], { quotations, tiers, line }: SearchIn): FindingPlace | null {
  for (const tier of tiers) {
    const found = matchTier(files, quotations, tier);
    const nearest = found
      .flatMap(({ file, matches }) => matches.map((match) => ({ file, match })))
      .toSorted((left, right) => distance(left.match, line) - distance(right.match, line))[0];
    if (nearest !== undefined) return placeOf(nearest.file, nearest.match, tier);
  }
  return null;
}

/** Places a quotation in a file that the answer does not name, if no second file contains it. */
function placeInOnlyOne(
  files: readonly DiffFile[],
  { quotations, tiers, line }: Search,
): FindingPlace | null {
  for (const tier of tiers) {
    const found = matchTier(files, quotations, tier);
    if (found.length > 1) return null;
    const only = found[0];
    if (only !== undefined) return placeAmong([only.file], { quotations, tiers: [tier], line });
  }
  return null;
}

/** Returns the matches of the most literal reading that the tier finds anywhere. */
function matchTier(
  files: readonly DiffFile[],
  quotations: readonly Quotation[],
  tier: Tier,
): readonly FileMatches[] {
  for (const quotation of quotations) {
    const found = files
      .map((file) => ({ file, matches: findMatches(file, quotation, tier) }))
      .filter(({ matches }) => matches.length > 0);
    if (found.length > 0) return found;
  }
  return [];
}

function distance({ startLine, endLine }: AnchorMatch, line: number | null): number {
  return line === null ? 0 : Math.max(startLine - line, line - endLine, 0);
}

function placeOf(file: DiffFile, match: AnchorMatch, { exactness }: Pick<Tier, 'exactness'>): FindingPlace {
  return {
    path: file.path,
    side: match.side,
    startLine: match.startLine,
    endLine: match.endLine,
    placement: exactness,
    quote: match.quote,
    ordinal: ordinalOf(file, match),
    anchor: anchorIn(file, match),
  };
}

/**
 * Counts all places with the same text on that side, so that the ordinal does not depend on how the issue was found.
 */
function ordinalOf(file: DiffFile, match: AnchorMatch): number {
  const { lines, blankBefore } = trimQuotation(match.quote.split('\n').map(comparable));
  const quotation = { lines, blankBefore: 0, blankBehind: 0 };
  const same = (['changed', 'context'] as const).flatMap((touches) =>
    findMatches(file, quotation, { exactness: 'exact', side: match.side, touches, partial: false }),
  );
  return same.filter(({ startLine }) => startLine < match.startLine + blankBefore).length + 1;
}
