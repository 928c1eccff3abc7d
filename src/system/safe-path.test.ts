import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { safePath } from './safe-path.ts';

const path = (...entries: readonly string[]) => entries.join(delimiter);

test('relative, empty and repository entries are dropped, the order is kept', () => {
  const env = {
    PATH: path('/repo/node_modules/.bin', '.', '', '/usr/bin', 'bin', '/repository/bin', '/bin'),
  };
  expect(safePath(env, '/repo')).toBe(path('/usr/bin', '/repository/bin', '/bin'));
});

test('the repository itself, a detour into it and a repeated entry are dropped', () => {
  const env = { PATH: path('/repo', '/usr/../repo/bin', '/usr/bin', '/usr/bin') };
  expect(safePath(env, '/repo')).toBe('/usr/bin');
});

test('a link that leads into the repository is dropped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'collab-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'repo/bin'), { recursive: true });
  symlinkSync(join(folder, 'repo/bin'), join(folder, 'innocent'));
  const env = { PATH: path(join(folder, 'innocent'), folder) };
  expect(safePath(env, join(folder, 'repo'))).toBe(folder);
});

test('without a repository only relative entries are dropped; without a PATH nothing is left', () => {
  expect(safePath({ Path: path('/repo/bin', 'x') }, null)).toBe('/repo/bin');
  expect(safePath({}, '/repo')).toBe('');
});
