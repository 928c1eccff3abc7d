/** Finds the places of a quotation in one file of a change. */
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import { comparable, loosen, type Quotation } from './anchor-quote.ts';
import { countWhile } from '../../system/binary-search.ts';

export type Side = 'new' | 'old';

export interface AnchorMatch {
  readonly side: Side;
  readonly startLine: number;
  readonly endLine: number;
  /** The matched lines, copied from the file. */
  readonly quote: string;
}

/** One way to search for a quotation; tried in the order of `tiersFor`. */
export interface Tier {
  readonly exactness: 'exact' | 'loose';
  readonly side: Side;
  /** `changed`: at least one matched line was added (old side: removed); `context`: none was. */
  readonly touches: 'changed' | 'context';
  /** The line contains the quotation and more. */
  readonly partial: boolean;
}

/**
 * Lists the tiers: exact before loose; changed lines before context. The side that the quotation claims comes first;
 * context is reported on the new side, the one that readers look at.
 */
export function tiersFor(claimed: Side): readonly Tier[] {
  const other = claimed === 'new' ? 'old' : 'new';
  const order: readonly Pick<Tier, 'side' | 'touches'>[] = [
    { side: claimed, touches: 'changed' },
    { side: 'new', touches: 'context' },
    { side: other, touches: 'changed' },
  ];
  return [
    ...order.map((tier) => ({ ...tier, exactness: 'exact' as const, partial: false })),
    ...order.map((tier) => ({ ...tier, exactness: 'loose' as const, partial: false })),
    ...order.map((tier) => ({ ...tier, exactness: 'loose' as const, partial: true })),
  ];
}

/** Returns every place of the quotation in the file that the tier accepts, in file order. */
export function findMatches(file: DiffFile, quotation: Quotation, tier: Tier): readonly AnchorMatch[] {
  const wanted = tier.exactness === 'exact' ? quotation.lines : loosenAll(quotation.lines);
  if (wanted.length === 0 || (tier.partial && !isTelling(wanted))) return [];
  return textsOf(file, tier).flatMap((passage) =>
    matchPassage(passage, { ...quotation, lines: wanted }, tier),
  );
}

/** Lines of one hunk on one side, so that neighbors are neighbors in the file. */
interface Passage {
  readonly all: readonly DiffLine[];
  /** The lines to compare; loose matching leaves out those without content. */
  readonly lines: readonly DiffLine[];
  /** The compared texts, one for each of `lines`. */
  readonly texts: readonly string[];
}

/** Caches the comparable texts of a file: an answer may contain a hundred issues, a change a million lines. */
const passagesOfFile = new WeakMap<DiffFile, Map<string, readonly Passage[]>>();

function textsOf(file: DiffFile, { side, exactness }: Tier): readonly Passage[] {
  const known = passagesOfFile.get(file) ?? new Map<string, readonly Passage[]>();
  passagesOfFile.set(file, known);
  const key = `${side} ${exactness}`;
  const passages = known.get(key) ?? file.hunks.map(({ lines }) => passageOf(lines, side, exactness));
  known.set(key, passages);
  return passages;
}

function passageOf(hunkLines: readonly DiffLine[], side: Side, exactness: Tier['exactness']): Passage {
  const absent = side === 'new' ? 'removed' : 'added';
  const all = hunkLines.filter(({ kind }) => kind !== absent);
  if (exactness === 'exact') {
    return {
      all,
      lines: all,
      texts: all.map(({ text }) => comparable(text)),
    };
  }
  const loosened = all.map((line) => ({ line, text: loosen(line.text) })).filter(({ text }) => text !== '');
  return { all, lines: loosened.map(({ line }) => line), texts: loosened.map(({ text }) => text) };
}

function loosenAll(lines: readonly string[]): readonly string[] {
  return lines.map(loosen).filter((line) => line !== '');
}

function matchPassage(
  { all, lines, texts }: Passage,
  quotation: Quotation,
  tier: Tier,
): readonly AnchorMatch[] {
  const wanted = quotation.lines;
  const matches: AnchorMatch[] = [];
  for (let start = next(texts, wanted, tier, 0); start !== -1; start = next(texts, wanted, tier, start + 1)) {
    const matched = lines.slice(start, start + wanted.length);
    const touches = matched.some(({ kind }) => kind !== 'context') ? 'changed' : 'context';
    if (touches === tier.touches) matches.push(matchOf(all, matched, quotation, tier.side));
  }
  return matches;
}

/**
 * Returns the index of the next place of all wanted lines, or -1. Uses `indexOf` for the first line, which is fastest
 * in a million lines.
 */
function next(
  texts: readonly string[],
  [first = '', ...others]: readonly string[],
  { partial }: Tier,
  from: number,
): number {
  if (partial) return texts.findIndex((text, index) => index >= from && text.includes(first));
  for (let start = texts.indexOf(first, from); start !== -1; start = texts.indexOf(first, start + 1)) {
    if (others.every((line, offset) => texts[start + 1 + offset] === line)) return start;
  }
  return -1;
}

/** Returns true if a part of a line has enough letters to be distinctive. */
function isTelling(wanted: readonly string[]): boolean {
  return wanted.length === 1 && (wanted[0]?.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 8;
}

/** Includes blank lines between the matched ones, and quoted blank lines around them. */
function matchOf(
  all: readonly DiffLine[],
  matched: readonly DiffLine[],
  { blankBefore, blankBehind }: Quotation,
  side: Side,
): AnchorMatch {
  const numbers = matched.map((line) => numberOf(line, side));
  let first = firstFrom(all, Math.min(...numbers), side);
  let end = firstFrom(all, Math.max(...numbers) + 1, side);
  for (let left = blankBefore; left > 0 && isBlank(all[first - 1]); left -= 1) first -= 1;
  for (let left = blankBehind; left > 0 && isBlank(all[end]); left -= 1) end += 1;
  const quoted = all.slice(first, end);
  const lines = quoted.map((line) => numberOf(line, side));
  return {
    side,
    startLine: lines[0] ?? 0,
    endLine: lines.at(-1) ?? 0,
    quote: quoted.map(({ text }) => text).join('\n'),
  };
}

function isBlank(line: DiffLine | undefined): boolean {
  return line !== undefined && line.text.trim() === '';
}

/** Returns the index of the first line with that number or a higher one: a passage has its lines in order. */
function firstFrom(all: readonly DiffLine[], line: number, side: Side): number {
  return countWhile(all.length, (index) => {
    const found = all[index];
    return found !== undefined && numberOf(found, side) < line;
  });
}

function numberOf({ oldLine, newLine }: DiffLine, side: Side): number {
  return (side === 'new' ? newLine : oldLine) ?? 0;
}
