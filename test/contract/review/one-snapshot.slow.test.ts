import { expect, test } from 'vitest';
import { reviewTogether, reviewWhileCleaned, reviewWhileEdited } from './one-snapshot.ts';

test.each([1, 2, 3, 4, 5])(
  'agents read the files of the diff in 100 of 100 starts during edits, seed %i',
  { timeout: 600_000 },
  async (seed) => {
    const { differences, states } = await reviewWhileEdited(100, seed);
    expect(differences).toEqual([]);
    expect(states).toBeGreaterThan(50);
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
