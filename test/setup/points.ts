/**
 * Lists of cases of which a usual run tries a seeded sample with one case of each stretch: the points at which a test kills or
 * cuts a run, and combinations. `npm run test:kills` (`TEST_WHOLE=1`) tries all of them, `TEST_SEED` repeats a sample.
 */
import { randomInt } from 'node:crypto';
import { integer, sample } from 'fast-check';

/** True if this run tries every case. */
export const triesAll = process.env['TEST_WHOLE'] === '1';
/** The seed of all random choices of this run: `TEST_SEED`, otherwise random. */
export const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));

/** Returns all of `points` for `TEST_WHOLE=1`, otherwise `count` of them in order, spread over the whole list. */
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
