import { expect, test } from 'vitest';
import { priorityOf } from './priority-of.ts';

test.each([
  [{}, undefined, 'person'],
  [{ CI: 'true' }, undefined, 'ci'],
  [{ CI: 'false' }, undefined, 'person'],
  [{ CI: 'true' }, 'batch', 'batch'],
  [{}, 'ci', 'ci'],
] as const)('with %o, a run that asks for %s is queued as one of %s', (env, asked, priority) => {
  expect(priorityOf({ env }, asked)).toBe(priority);
});
