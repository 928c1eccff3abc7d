import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { filesHolding } from '../../../test/fixtures/files-holding.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { removeOldStateFolders } from '../../runs/folder/state-folder.ts';
import { credentialsIn } from '../guarded.test-helper.ts';

const forEver = { tenant: 'acme', label: 'the laptop', expiresInMs: null };

test('a secret finds its credential, and is in no file', () => {
  const { tokens, folder } = world();
  const { secret, credential } = tokens.create(forEver);
  expect(tokens.find(secret)).toEqual(credential);
  expect(filesHolding(folder.path, secret.slice(-43))).toEqual([]);
});

test.runIf(process.platform !== 'win32')('no other user of the machine can read a server’s files', () => {
  const { tokens, folder } = world();
  tokens.create(forEver);
  const modes = filesBelow(folder.path).flatMap((file) => [file, dirname(file)].map(modeOf));
  expect(new Set(modes)).toEqual(new Set([0o600, 0o700]));
});

test('they are outside of the served folder, and different for each folder', () => {
  const { root, folder, tokens } = world();
  const { secret } = tokens.create(forEver);
  expect(relative(join(root, '.collab'), folder.path)).toMatch(/^\.\./);
  expect(credentialsIn(root, createManualClock()).tokens.find(secret)).not.toBeNull();
  expect(world().tokens.find(secret)).toBeNull();
});

test('the newest are listed first, without the expired ones', async () => {
  const { tokens, clock } = world();
  const make = (label: string, expiresInMs: number | null) =>
    tokens.create({ ...forEver, label, expiresInMs });
  make('first', null);
  await clock.advance(10);
  make('short', 10);
  await clock.advance(10);
  make('last', null);
  expect(tokens.list().map(({ label }) => label)).toEqual(['last', 'first']);
});

test('a session’s secret is not a token, and an invalid id leads nowhere', () => {
  const { tokens, sessions } = world();
  const { secret } = sessions.create(forEver);
  expect([tokens.find(secret), tokens.revoke('../../x'), tokens.get('../../x')]).toEqual([null, false, null]);
});

test('a token can be revoked once, and one that never was cannot', () => {
  const { tokens } = world();
  const { secret, credential } = tokens.create(forEver);
  expect([tokens.revoke(credential.id), tokens.find(secret)]).toEqual([true, null]);
  expect(tokens.revoke(credential.id)).toBe(false);
});

test('a damaged file opens nothing, and the error says what to do', () => {
  const { tokens, folder } = world();
  const { secret, credential } = tokens.create(forEver);
  writeFileSync(join(folder.path, 'tokens', `${credential.id}.json`), '{"digest":""}');
  expect(() => tokens.find(secret)).toThrow(CollabError);
});

test('tokens survive the cleanup of unfinished runs', () => {
  const { root, tokens, folder } = world();
  const { secret } = tokens.create(forEver);
  const clock = createManualClock();
  const long = clock.now() / 1000 - 30 * 24 * 3600;
  utimesSync(dirname(folder.path), long, long);
  const options = { env: { XDG_STATE_HOME: join(root, 'state') }, clock, temporaryFolder: join(root, 'tmp') };
  expect(removeOldStateFolders(options)).toEqual([]);
  expect(tokens.find(secret)).not.toBeNull();
});

function world() {
  const [root, clock] = [scratchFolder(), createManualClock()];
  return { root, clock, ...credentialsIn(root, clock) };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
