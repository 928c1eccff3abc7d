import { expect, test } from 'vitest';
import { forbiddenError } from './require.ts';
import type { Guest } from './speaker.ts';

const guest: Guest = { kind: 'guest', tenant: 'acme', grants: [], providers: [] };

test.each([
  ['tool:Read', 'tool:Read'],
  ['run', 'run,repo:<name>'],
  ['apply', 'apply,run,repo:<name>'],
])('the hint for a missing %s names all grants that a token needs: %s', (grant, wanted) => {
  const { hint } = forbiddenError(guest, '/run', grant);
  expect(hint).toBe(
    `The owner of the server can grant it: collab serve token create --tenant acme --may ${wanted}`,
  );
});
