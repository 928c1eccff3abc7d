import { expect, test } from 'vitest';
import { reviewWhileEdited } from './one-snapshot.ts';

test.each([1, 2, 3, 4, 5])(
  'agents read the files of the diff in 100 of 100 starts during edits, seed %i',
  { timeout: 600_000 },
  async (seed) => {
    const { differences, states } = await reviewWhileEdited(100, seed);
    expect(differences).toEqual([]);
    expect(states).toBeGreaterThan(50);
  },
);
