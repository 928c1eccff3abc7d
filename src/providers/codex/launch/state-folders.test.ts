import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkLogin, muteSystemNaming, openStateFolders, userCodexHome } from './state-folders.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-state-')));
});
afterEach(() => rmSync(root, { recursive: true }));

test('the folders are private, and a second call returns the same ones', () => {
  const folders = openStateFolders(join(root, 'run'));
  expect(folders).toEqual({
    empty: join(root, 'run/empty'),
    home: join(root, 'run/home'),
    codex: join(root, 'run/codex'),
    bin: join(root, 'run/bin'),
  });
  for (const folder of Object.values(folders)) expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(openStateFolders(join(root, 'run'))).toEqual(folders);
});

test('lsb_release fails immediately if the folder is first on PATH, and a second call changes nothing', () => {
  const folders = openStateFolders(join(root, 'run'));
  muteSystemNaming(folders);
  muteSystemNaming(folders);
  const { status, stdout } = spawnSync('lsb_release', ['-a'], {
    env: { PATH: `${folders.bin}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

test('a state folder in a repository is refused', () => {
  mkdirSync(join(root, '.git'));
  expect(() => openStateFolders(join(root, 'deep/run'))).toThrow(
    expect.objectContaining({
      code: 'state_folder',
      message: `The state folder ${join(root, 'deep/run')} is in the repository ${root}.`,
    }),
  );
});

test('the login is linked once, and only if there is one', () => {
  const folders = openStateFolders(join(root, 'run'));
  const user = join(root, 'user');
  mkdirSync(user);
  expect(linkLogin(user, folders)).toBe(false);
  writeFileSync(join(user, 'auth.json'), '{}');
  expect([linkLogin(user, folders), linkLogin(user, folders)]).toEqual([true, true]);
  expect(lstatSync(join(folders.codex, 'auth.json')).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(folders.codex, 'auth.json'))).toBe(join(user, 'auth.json'));
});

test("the user's CODEX_HOME is the configured one, else the one in their home", () => {
  expect(userCodexHome({ CODEX_HOME: '/c', HOME: '/h' })).toBe('/c');
  expect(userCodexHome({ HOME: '/h' })).toBe('/h/.codex');
});
