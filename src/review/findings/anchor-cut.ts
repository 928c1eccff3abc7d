/** Finds a quotation whose author left out a part inside or at the end of a line: `head … tail`. */
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import type { AnchorMatch, Side } from './anchor-match.ts';
import { comparable } from './anchor-quote.ts';
import { weightOf } from './anchor-line.ts';

/** In lines. */
const longestCut = 60;
/** In letters and digits: fewer do not distinguish a place. */
const [fewestAtEnd, fewestTogether] = [2, 10];

/** Returns the shortest places that begin and end as the quotation does; empty if nothing was left out. */
export function findCutMatches(file: DiffFile, text: string, side: Side): readonly AnchorMatch[] {
  const parts = text.split(/\s*(?:\[(?:\.{3}|…)\]|\.{3}|…)\s*/u).map(squeeze);
  if (parts.length < 2 || !isTelling(parts)) return [];
  const found = file.hunks.flatMap(({ lines }) => matchesIn(linesOn(lines, side), parts, side));
  return found.filter((match) => !found.some((other) => other !== match && isWithin(other, match)));
}

function isTelling(parts: readonly string[]): boolean {
  const weights = parts.map(weightOf);
  const ends = [weights[0] ?? 0, weights.at(-1) ?? 0].filter((weight) => weight > 0);
  return (
    ends.every((weight) => weight >= fewestAtEnd) &&
    weights.reduce((sum, weight) => sum + weight, 0) >= fewestTogether
  );
}

interface SqueezedLine {
  readonly line: DiffLine;
  readonly text: string;
}

/** An answer may contain a hundred quotations, a change a million lines. */
const squeezed = new WeakMap<readonly DiffLine[], Map<Side, readonly SqueezedLine[]>>();

function linesOn(lines: readonly DiffLine[], side: Side): readonly SqueezedLine[] {
  const known = squeezed.get(lines) ?? new Map<Side, readonly SqueezedLine[]>();
  squeezed.set(lines, known);
  const absent = side === 'new' ? 'removed' : 'added';
  const texts =
    known.get(side) ??
    lines.filter(({ kind }) => kind !== absent).map((line) => ({ line, text: squeeze(line.text) }));
  known.set(side, texts);
  return texts;
}

function matchesIn(
  lines: readonly SqueezedLine[],
  parts: readonly string[],
  side: Side,
): readonly AnchorMatch[] {
  const [head = ''] = parts;
  const longest = head === '' ? 1 : longestCut;
  return lines.flatMap(({ text }, start) => {
    if (text === '' || !(head.startsWith(text) || text.startsWith(head))) return [];
    let joined = '';
    for (let end = start; end < Math.min(lines.length, start + longest); end += 1) {
      joined = squeeze(`${joined} ${lines[end]?.text ?? ''}`);
      if (isCutOf(joined, parts)) return [matchOf(lines.slice(start, end + 1), side)];
    }
    return [];
  });
}

/** Each part is found in order, the first at the start, the last at the end, and none cuts a word. */
function isCutOf(joined: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const at =
      index === parts.length - 1 && part !== '' ? joined.length - part.length : joined.indexOf(part, from);
    const isFirst = index === 0 && part !== '';
    if (at < from || (isFirst && at !== 0) || !joined.startsWith(part, at)) return false;
    if (cutsWord(joined, at) || cutsWord(joined, at + part.length)) return false;
    from = at + part.length;
  }
  return true;
}

function cutsWord(text: string, at: number): boolean {
  return isWord(text[at - 1]) && isWord(text[at]);
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}

function matchOf(lines: readonly SqueezedLine[], side: Side): AnchorMatch {
  const numbers = lines.map(({ line }) => (side === 'new' ? line.newLine : line.oldLine) ?? 0);
  return {
    side,
    startLine: numbers[0] ?? 0,
    endLine: numbers.at(-1) ?? 0,
    quote: lines.map(({ line }) => line.text).join('\n'),
  };
}

function isWithin(inner: AnchorMatch, outer: AnchorMatch): boolean {
  const isSame = inner.startLine === outer.startLine && inner.endLine === outer.endLine;
  return !isSame && inner.startLine >= outer.startLine && inner.endLine <= outer.endLine;
}

/** Removes what agents change when they join lines: white space between words and signs, semicolons, commas. */
function squeeze(text: string): string {
  return comparable(text)
    .replaceAll(/[\s;,]+/gu, ' ')
    .replaceAll(/(?<![\p{L}\p{N}_$]) | (?![\p{L}\p{N}_$])/gu, '')
    .replaceAll(/['`‘’“”„«»]/gu, '"');
}
