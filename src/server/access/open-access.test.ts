import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { grantsWithoutUse, openAccess, type AccessChoice } from './open-access.ts';

test.each(['127.0.0.1', '127.8.8.8', '::1', '[::1]', 'localhost'])(
  'at %s nobody but who is on this machine calls, and no token is asked for',
  (host) => {
    expect(accessAt(host)).toMatchObject({ requiresToken: false });
  },
);

test.each(['0.0.0.0', '::', '192.168.7.3', 'collab.example.org', '127.0.0.1.example.org', ''])(
  'X002-27.2 at "%s" a token is asked for',
  (host) => {
    expect(accessAt(host)).toMatchObject({ requiresToken: true });
  },
);

test('tokens can be required on loopback too', () => {
  expect(accessAt('127.0.0.1', true)).toMatchObject({ requiresToken: true });
});

test('without a private folder an open server starts without tokens, and one that requires them does not', () => {
  const nowhere = { env: {}, temporaryFolder: '/dev/null' };
  expect(accessAt('127.0.0.1', false, nowhere)).toMatchObject({ requiresToken: false, credentials: null });
  expect(() => accessAt('127.0.0.1', true, nowhere)).toThrow('There is no private folder');
});

test('a server that listens on a name has that name; cookies of two folders differ', () => {
  const [one, other] = [accessAt('collab.example.org'), accessAt('0.0.0.0')];
  expect([one.hosts, other.hosts]).toEqual([['collab.example.org'], []]);
  expect(one.cookieName).not.toBe(other.cookieName);
});

test('a server without tokens refuses no grant but those of commands', () => {
  const open = accessAt('127.0.0.1');
  const grants = ['tool:Read', 'apply'];
  open.credentials?.tokens.create({ tenant: 'acme', label: null, expiresInMs: null, grants });
  expect(grantsWithoutUse(open)).toBeNull();
});

test('a server without tokens says which grants of tokens are without use', () => {
  const [open, closed] = [accessAt('127.0.0.1'), accessAt('127.0.0.1', true)];
  for (const { credentials } of [open, closed]) {
    const give = (tenant: string, ...grants: string[]) =>
      credentials?.tokens.create({ tenant, label: null, expiresInMs: null, grants });
    give('acme', 'tool:Read', 'apply');
    give('acme', 'tool:Bash');
    give('other', 'tool:Bash');
    give('other', 'tool:Bash');
  }
  expect(grantsWithoutUse(closed)).toBeNull();
  expect(grantsWithoutUse(open)).toMatch(
    /^this server requires no token, so it refuses tool:Bash to (?:acme, other|other, acme): start it with --require-token/,
  );
});

function accessAt(host: string, requireToken = false, state: Partial<AccessChoice> = {}) {
  const root = scratchFolder();
  return openAccess({
    home: join(root, '.collab'),
    env: { XDG_STATE_HOME: join(root, 'state') },
    clock: createManualClock(),
    host,
    allowHosts: [],
    allowOrigins: [],
    requireToken,
    providers: [],
    ...state,
  });
}
