/**
 * The points of a run at which a test kills or cuts it. A usual run tries a seeded sample with one point of each stretch;
 * `npm run test:kills` tries all of them, `TEST_SEED` repeats a sample.
 */
import { randomInt } from 'node:crypto';
import { integer, sample } from 'fast-check';

const triesAll = process.env['TEST_KILLS'] === 'all';
/** The seed of all random choices of this run: `TEST_SEED`, otherwise random. */
export const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));

/** Returns all of `points` for `TEST_KILLS=all`, otherwise `count` of them in order, spread over the whole list. */
export function somePoints<T>(points: readonly T[], count: number): readonly T[] {
  if (triesAll || points.length <= count) return points;
  process.stdout.write(
    `${String(count)} of ${String(points.length)} points; TEST_SEED=${String(seed)} repeats them\n`,
  );
  const draws = sample(integer({ min: 0, max: 2 ** 30 - 1 }), { seed, numRuns: count });
  return draws.flatMap((draw, stretch) => {
    const from = Math.floor((stretch * points.length) / count);
    const to = Math.floor(((stretch + 1) * points.length) / count);
    return points.slice(from + (draw % (to - from))).slice(0, 1);
  });
}

/** Returns the whole numbers from `first` to `last`. */
export function pointsFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
