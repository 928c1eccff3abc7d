import type { DiffLine } from '../../../../src/client/review.ts';

/** The lines of a row with two sides; null for a side without a line. */
export type LinePair = readonly [old: DiffLine | null, added: DiffLine | null];

/** An unchanged line is on both sides. Removed lines are beside the added ones that follow them, the first beside the first. */
export function pairLines(lines: readonly DiffLine[]): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      pairs.push([removed[index] ?? null, added[index] ?? null]);
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'added') {
      added.push(line);
      continue;
    }
    if (added.length > 0 || line.kind === 'context') flush();
    if (line.kind === 'removed') removed.push(line);
    else pairs.push([line, line]);
  }
  flush();
  return pairs;
}
