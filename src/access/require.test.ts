import { expect, test } from 'vitest';
import { forbiddenError } from './require.ts';
import type { Guest } from './speaker.ts';

const guest: Guest = { kind: 'guest', tenant: 'acme', grants: [], providers: [], isServerOpen: false };

test.each([
  ['tool:Read', 'tool:Read'],
  ['run', 'run,repo:<name>'],
  ['apply', 'apply,run,repo:<name>'],
])('the hint for a missing %s names all grants that a token needs: %s', (grant, wanted) => {
  const { hint } = forbiddenError(guest, '/run', { grant });
  expect(hint).toBe(
    `The owner of the server can grant it: collab serve token create --tenant acme --may ${wanted}`,
  );
});

test('a refusal that needs required tokens says so, with the grant', () => {
  const { message, hint } = forbiddenError(guest, '/Bash', { grant: 'tool:Bash', needsToken: true });
  expect([message, hint]).toEqual([
    '/Bash is not for the tenant acme on a server that requires no token',
    'A command could call this server as its owner. The owner can start it with --require-token and grant it: collab serve token create --tenant acme --may tool:Bash',
  ]);
});
