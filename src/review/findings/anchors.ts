import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { Placement } from '../../events/collab-event.ts';
import { findMatches, tiersFor, type Match, type Side, type Tier } from './anchor-match.ts';
import { cleanPath, resolvePath } from './anchor-path.ts';
import { comparable, readQuotations, trimQuotation, type Quotation } from './anchor-quote.ts';

export interface Place {
  /** After renames. Of an unplaced issue the path that the answer claims; null where it claims none. */
  readonly path: string | null;
  readonly side: Side | null;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly placement: Placement;
  /** The lines as the file has them; of an issue without a line as the answer has them. */
  readonly quote: string | null;
  /** 1 for the first place of this quotation in the file, 2 for the second; 0 without a line. */
  readonly ordinal: number;
}

export interface PlacedIssue {
  readonly issue: ReviewIssue;
  readonly place: Place;
}

/**
 * Computes where an issue stands from its quotation. The claimed line only chooses between several places of the quotation;
 * an issue whose quotation is nowhere is unplaced: it keeps its file, never its line.
 */
export function placeIssue(issue: ReviewIssue, files: readonly DiffFile[]): Place {
  const claimed = issue.location === null ? [] : resolvePath(issue.location.path, files);
  const others = files.filter((file) => !claimed.includes(file));
  if (issue.quote !== null) {
    const quotations = readQuotations(issue.quote.text);
    const { side } = issue.quote;
    const search = { quotations, side, tiers: tiersFor(side), line: issue.location?.startLine ?? null };
    const place =
      placeAsClaimed(claimed, search) ?? placeAmong(claimed, search) ?? placeInOnlyOne(others, search);
    if (place !== null) return place;
  }
  const claimedPath = issue.location === null ? '' : cleanPath(issue.location.path);
  return {
    path: claimed[0]?.path ?? (claimedPath === '' ? null : claimedPath),
    side: null,
    startLine: null,
    endLine: null,
    placement: claimed.length > 0 && issue.quote === null ? 'file' : 'unplaced',
    quote: issue.quote?.text ?? null,
    ordinal: 0,
  };
}

interface Search {
  readonly quotations: readonly Quotation[];
  /** The claimed one. */
  readonly side: Side;
  readonly tiers: readonly Tier[];
  /** The claimed line. */
  readonly line: number | null;
}

type SearchIn = Omit<Search, 'side'>;

interface FileMatches {
  readonly file: DiffFile;
  readonly matches: readonly Match[];
}

/** Where quotation and claimed line agree to the letter, it counts for nothing that an equal text was added elsewhere. */
function placeAsClaimed(files: readonly DiffFile[], search: Search): Place | null {
  const { quotations, side, line } = search;
  const exact = search.tiers.filter((tier) => tier.exactness === 'exact' && tier.side === side);
  for (const quotation of quotations) {
    for (const tier of exact) {
      for (const { file, matches } of matchTier(files, [quotation], tier)) {
        const match = matches.find(({ startLine }) => startLine === line);
        if (match !== undefined) return placeOf(file, match, tier);
      }
    }
  }
  return null;
}

/** The best tier that has a match; of its matches the one nearest to the claimed line. */
function placeAmong(files: readonly DiffFile[], { quotations, tiers, line }: SearchIn): Place | null {
  for (const tier of tiers) {
    const found = matchTier(files, quotations, tier);
    const nearest = found
      .flatMap(({ file, matches }) => matches.map((match) => ({ file, match })))
      .toSorted((left, right) => distance(left.match, line) - distance(right.match, line))[0];
    if (nearest !== undefined) return placeOf(nearest.file, nearest.match, tier);
  }
  return null;
}

/** In a file that the answer does not name a quotation counts only if no second file holds it as well. */
function placeInOnlyOne(files: readonly DiffFile[], { quotations, tiers, line }: Search): Place | null {
  for (const tier of tiers) {
    const found = matchTier(files, quotations, tier);
    if (found.length > 1) return null;
    const only = found[0];
    if (only !== undefined) return placeAmong([only.file], { quotations, tiers: [tier], line });
  }
  return null;
}

/** The most literal reading of the quotation that the tier finds anywhere. */
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

function distance({ startLine, endLine }: Match, line: number | null): number {
  return line === null ? 0 : Math.max(startLine - line, line - endLine, 0);
}

function placeOf(file: DiffFile, match: Match, { exactness }: Tier): Place {
  return {
    path: file.path,
    side: match.side,
    startLine: match.startLine,
    endLine: match.endLine,
    placement: exactness,
    quote: match.quote,
    ordinal: ordinalOf(file, match),
  };
}

/** Counted over all places with the same text on that side, so that it does not hang on how the issue was found. */
function ordinalOf(file: DiffFile, match: Match): number {
  const { lines, blankBefore } = trimQuotation(match.quote.split('\n').map(comparable));
  const quotation = { lines, blankBefore: 0, blankBehind: 0 };
  const same = (['changed', 'context'] as const).flatMap((touches) =>
    findMatches(file, quotation, { exactness: 'exact', side: match.side, touches, partial: false }),
  );
  return same.filter(({ startLine }) => startLine < match.startLine + blankBefore).length + 1;
}
