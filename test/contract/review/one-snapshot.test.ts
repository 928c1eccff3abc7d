import { expect, test } from 'vitest';
import { reviewWhileEdited } from './one-snapshot.ts';

test('agents read the files of the diff, however the working tree is edited at the start', async () => {
  const { differences, states } = await reviewWhileEdited(5, 7);
  expect(differences).toEqual([]);
  expect(states).toBeGreaterThan(1);
});
