import { expect, test } from 'vitest';
import { pointsFrom, seed, somePoints } from '../../setup/points.ts';
import { reviewBesideKilled, reviewTogether, reviewWhileCleaned, reviewWhileEdited } from './one-snapshot.ts';

/** `npm run test:kills` makes 500. */
const starts = Number(process.env['TEST_EDITS'] ?? 100);

test(
  `agents read the files of the diff in ${starts} of ${starts} starts during edits, seed ${seed}`,
  { timeout: 900_000 },
  async () => {
    const { differences, states } = await reviewWhileEdited(starts, seed);
    expect(differences).toEqual([]);
    expect(states).toBeGreaterThan(starts / 2);
  },
);

test(
  'agents read the files of the diff in 50 of 50 starts while another process removes the store',
  { timeout: 600_000 },
  async () => {
    expect((await reviewWhileCleaned(50, 3)).differences).toEqual([]);
  },
);

test(
  'two processes that share a store read each the files of their own diff',
  { timeout: 600_000 },
  async () => {
    const reviewed = await reviewTogether(50, 5);
    expect(reviewed.map(({ differences }) => differences)).toEqual([[], []]);
    expect(Math.min(...reviewed.map(({ states }) => states))).toBeGreaterThan(10);
  },
);

test(
  'processes that are killed at any change leave the store usable for one beside them and for the next',
  { timeout: 3_600_000 },
  async () => {
    const { survivor, next, unharmed, left } = await reviewBesideKilled((changes) =>
      somePoints(pointsFrom(1, changes), 20),
    );
    expect([survivor, ...next].flatMap(({ differences }) => differences)).toEqual([]);
    expect(left).toEqual([]);
    // A kept folder saves changes: a process may end before its point.
    expect(unharmed.length).toBeLessThan(next.length / 2);
  },
);
