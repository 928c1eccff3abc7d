import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isInside } from '../../../system/is-inside.ts';
import { repositoryOf } from '../../program/program-files.ts';
import { findCodex, findLauncher, type CodexProgram } from './find-codex.ts';

const linux = { os: 'linux', arch: 'x64' } as const;
const triple = 'x86_64-unknown-linux-musl';
let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-find-')));
  place('repository/.git/HEAD');
});

afterEach(() => rmSync(root, { recursive: true }));

function place(path: string, content = ''): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode: 0o755 });
  return file;
}

/** The layout of npm: a launcher, its platform's package, and a link in a folder of PATH. */
function installByNpm(prefix: string): string {
  const launcher = place(`${prefix}/node_modules/@openai/codex/bin/codex.js`, '#!/usr/bin/env node\n');
  const native = `${prefix}/node_modules/@openai/codex-linux-x64`;
  place(`${native}/package.json`, '{"name":"@openai/codex"}');
  place(`${native}/vendor/${triple}/bin/codex`, 'ELF');
  mkdirSync(join(root, prefix, 'bin'), { recursive: true });
  symlinkSync(launcher, join(root, prefix, 'bin/codex'));
  return join(root, native, 'vendor', triple);
}

function find(path: readonly string[], configured: string | null = null): CodexProgram | null {
  return findCodex(wanted(path, configured));
}

function wanted(path: readonly string[], configured: string | null = null) {
  const env = {
    PATH: path.map((folder) => (folder.startsWith('.') ? folder : join(root, folder))).join(':'),
  };
  return { env, repository: join(root, 'repository'), configured, platform: linux };
}

test('the native program of this platform is taken from the npm launcher’s package', () => {
  const vendor = installByNpm('npm');
  expect(find(['nowhere', 'npm/bin'])).toEqual({ file: join(vendor, 'bin/codex'), readable: vendor });
});

test('a native program is used as it is, with its package if it has one', () => {
  const alone = place('local/bin/codex', 'ELF');
  const packed = place('packed/bin/codex', 'ELF');
  place('packed/codex-package.json');
  expect(find(['local/bin', 'packed/bin'])).toEqual({ file: alone, readable: alone });
  expect(find(['packed/bin'])).toEqual({ file: packed, readable: join(root, 'packed') });
});

test('no program of the repository is used, through a relative entry, a link or the configuration', () => {
  const hostile = place('repository/node_modules/.bin/codex', 'ELF');
  mkdirSync(join(root, 'links'));
  symlinkSync(hostile, join(root, 'links/codex'));
  const good = place('good/codex', 'ELF');
  expect(find(['repository/node_modules/.bin', './node_modules/.bin', 'links', 'good'])?.file).toBe(good);
  expect(find(['good'], 'node_modules/.bin/codex')).toBeNull();
});

test('a folder with the name of the program is skipped', () => {
  mkdirSync(join(root, 'folders/codex'), { recursive: true });
  const vendor = installByNpm('npm');
  expect(find(['folders', 'npm/bin'])?.readable).toBe(vendor);
  expect(find(['folders'])).toBeNull();
  expect(findLauncher(wanted(['folders']))).toBeNull();
  expect(find(['npm/bin'], join(root, 'folders/codex'))).toBeNull();
});

test('a configured program is the only candidate', () => {
  const chosen = place('chosen/codex', 'ELF');
  place('good/codex', 'ELF');
  expect(find(['good'], chosen)?.file).toBe(chosen);
  expect(find(['good'], join(root, 'gone/codex'))).toBeNull();
});

test('a script that is not an npm launcher, and a launcher without its package, are skipped', () => {
  place('shim/codex', '#!/bin/sh\nexec other\n');
  place('bare/node_modules/@openai/codex/bin/codex.js', '#!/usr/bin/env node\n');
  mkdirSync(join(root, 'bare/bin'));
  symlinkSync(join(root, 'bare/node_modules/@openai/codex/bin/codex.js'), join(root, 'bare/bin/codex'));
  expect(find(['shim', 'bare/bin'])).toBeNull();
  const good = place('good/codex', 'ELF');
  expect(find(['shim', 'bare/bin', 'good'])?.file).toBe(good);
});

test('the first launcher outside of the repository can be named if there is no program', () => {
  place('repository/bin/codex', '#!/bin/sh\n');
  const shim = place('shim/codex', '#!/bin/sh\nexec other\n');
  expect(findLauncher(wanted(['repository/bin', 'shim']))).toBe(shim);
  expect(findLauncher(wanted(['shim'], join(root, 'gone/codex')))).toBeNull();
  expect(findLauncher(wanted(['nowhere', 'repository/bin']))).toBeNull();
});

test('a repository is the nearest folder above with .git, else the folder itself', () => {
  mkdirSync(join(root, 'repository/deep/er'), { recursive: true });
  mkdirSync(join(root, 'free'));
  expect(repositoryOf(join(root, 'repository/deep/er'))).toBe(join(root, 'repository'));
  expect(repositoryOf(join(root, 'free'))).toBe(join(root, 'free'));
});

test.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/ab', '/a', false],
  ['/a/..b', '/a', true],
  ['/', '/a', false],
])('%s inside %s: %s', (path, folder, inside) => {
  expect(isInside(path, folder)).toBe(inside);
});
