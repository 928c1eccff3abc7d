import type { DiffLine } from '../../../../src/client/review.ts';

/** The lines of a row with two sides; null for a side without a line. */
export type LinePair = readonly [old: DiffLine | null, added: DiffLine | null];

/** An unchanged line is on both sides, and a removed one is beside the added one that follows it. */
export function pairLines(lines: readonly DiffLine[]): readonly LinePair[] {
  const pairs: LinePair[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    const next = lines[index + 1];
    if (line === undefined) break;
    if (line.kind === 'context') pairs.push([line, line]);
    else if (line.kind === 'added') pairs.push([null, line]);
    else if (next?.kind !== 'added') pairs.push([line, null]);
    else {
      pairs.push([line, next]);
      index += 1;
    }
  }
  return pairs;
}
