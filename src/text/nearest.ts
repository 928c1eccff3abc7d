/** Returns the most likely candidate for a misspelled word ("Did you mean …"); null if none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  return nearestFew(word, candidates, 1)[0] ?? null;
}

/** Returns at most `count` candidates, closest first, equally close ones in the given order. */
export function nearestFew(word: string, candidates: Iterable<string>, count: number): readonly string[] {
  const limit = Math.max(1, Math.floor(word.length / 3));
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: distanceWithin(limit, word, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/**
 * Counts the edits from one word to the other, ignoring case, with a swap of neighbors as one edit; returns more than
 * `limit` if there are more.
 */
function distanceWithin(limit: number, word: string, candidate: string): number {
  if (Math.abs(word.length - candidate.length) > limit) return limit + 1;
  return editDistance(word.toLowerCase(), candidate.toLowerCase());
}

function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = at(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      let best = Math.min(at(last, column) + 1, at(current, column - 1) + 1, substitution);
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) best = Math.min(best, at(beforeLast, column - 2) + 1);
      current.push(best);
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
