/** Finds the lines of a pull request that a finding of an earlier round quotes. */
import { withoutCarriageReturn } from '../../parsers/diff/lines.ts';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import type { MarkedFinding } from '../round/marks.ts';

/** Numbers of the new side. */
export interface QuotePlace {
  readonly start: number;
  readonly end: number;
}

/** Returns null unless exactly one run of lines on the new side is the quotation. */
export function placeQuote(
  { path, quote, side }: Pick<MarkedFinding, 'path' | 'quote' | 'side'>,
  files: readonly DiffFile[],
): QuotePlace | null {
  const file = files.find((one) => one.path === path);
  if (file === undefined || quote === null || quote === undefined || quote === '' || side === 'old')
    return null;
  const wanted = quote.replace(/\n$/, '').split('\n').map(withoutCarriageReturn);
  const places = file.hunks.flatMap(({ lines }) => {
    const shown = lines.filter(({ newLine }) => newLine !== null);
    return shown.flatMap((_, index) => placeAt(shown.slice(index, index + wanted.length), wanted));
  });
  const [place, another] = places;
  return place === undefined || another !== undefined ? null : place;
}

function placeAt(lines: readonly DiffLine[], wanted: readonly string[]): readonly QuotePlace[] {
  const texts = lines.map(({ text }) => withoutCarriageReturn(text));
  const [start, end] = [lines[0]?.newLine, lines.at(-1)?.newLine];
  if (texts.length !== wanted.length || texts.some((text, index) => text !== wanted[index])) return [];
  return typeof start === 'number' && typeof end === 'number' ? [{ start, end }] : [];
}
