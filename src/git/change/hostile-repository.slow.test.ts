import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostileRepository, shared } from '../../../test/fixtures/scratch-repository.ts';
import type { ChangeRequest } from './change-input.ts';
import { openCommitFiles, type WantedCommit } from './commit-files.ts';
import { isIgnored } from '../repository/is-ignored.ts';
import { resolveChange } from './resolve-change.ts';

/** For tests that only read; nothing in it may run. */
const untouched = shared(() => hostileRepository());

test('the fixture is hostile: plain git triggers its traps', () => {
  const repository = hostileRepository();
  const plain = () => repository.git('-c', 'submodule.sub.update=none', 'status');
  expect(plain).toThrow('submodule.sub.update');
  repository.git('status', '--ignore-submodules=all');
  repository.git('add', '--all', '--', 'src');
  expect(repository.sprung()).toEqual(
    expect.arrayContaining(['clean', 'fsmonitor', 'hooksPath-post-index-change']),
  );
});

const requests: readonly ChangeRequest[] = [
  { kind: 'working_tree' },
  { kind: 'staged' },
  { kind: 'base', ref: 'base' },
  { kind: 'range', range: 'base...HEAD' },
  { kind: 'commit', sha: 'HEAD' },
];

test.each(requests)('reading $kind from a hostile repository executes nothing', async (request) => {
  const repository = untouched();
  const before = repository.sprung();
  const taken = await resolveChange(request, { cwd: repository.root, env: repository.env });
  expect({ before, after: repository.sprung() }).toEqual({ before: [], after: [] });
  expect(taken.empty).toBe(false);
});

test('every change of a hostile repository is seen, despite attributes and submodule settings', async () => {
  const repository = untouched();
  const { diffText } = await resolveChange(
    { kind: 'working_tree' },
    { cwd: repository.root, env: repository.env },
  );
  expect(diffText).toContain('+export const a = 3;');
  expect(diffText).toContain('+export const b = 2;');
  expect(diffText).toContain('diff --git a/new file.txt b/new file.txt');
  expect(diffText).not.toContain('Binary files');
});

const wanted: readonly WantedCommit[] = [
  { kind: 'ref', ref: 'base' },
  ...requests.map((change) => ({ kind: 'base_of' as const, change })),
];

test.each(wanted)('reading files of a commit ($kind $change.kind) executes nothing', async (commit) => {
  const repository = untouched();
  const files = await openCommitFiles(commit, { cwd: repository.root, env: repository.env });
  const entry = await files?.find(join(repository.root, 'src/a.ts'));
  // As it was committed: no filter and no attribute of the work tree affects it.
  const text = entry ? (await files?.read(entry))?.toString() : undefined;
  expect(text).toMatch(/^export const a = [12];\n$/);
  expect(await files?.find(join(repository.root, 'sub/inner.txt'))).toBeNull();
  await files?.close();
  expect(repository.sprung()).toEqual([]);
});

test('a file of a commit is named by its path only, and the name of a commit is never an option', async () => {
  const odd = ':(glob)**';
  const repository = hostileRepository(({ write, root, commit }) => {
    write('[x]/odd', 'odd');
    symlinkSync('/etc/passwd', join(root, 'link'));
    commit('odd');
  });
  const options = { cwd: repository.root, env: repository.env };
  const files = await openCommitFiles({ kind: 'ref', ref: 'HEAD' }, options);
  const find = (path: string) => files?.find(join(repository.root, path));
  expect(await find(odd)).toBeNull();
  expect(await find('[a-z]/odd')).toBeNull();
  expect(await find('../outside')).toBeNull();
  expect(await find('src')).toBeNull();
  expect(await find('[x]/odd')).toMatchObject({ path: '[x]/odd' });
  const link = await find('link');
  expect(link ? (await files?.read(link))?.toString() : null).toBe('/etc/passwd');
  await files?.close();
  for (const ref of ['--all', '--output=planted', '-h']) {
    await expect(openCommitFiles({ kind: 'ref', ref }, options)).rejects.toMatchObject({ code: 'range' });
  }
  expect(existsSync(join(repository.root, 'planted'))).toBe(false);
  expect(repository.sprung()).toEqual([]);
});

test('checking whether a file is ignored executes nothing, and takes every name literally', async () => {
  const repository = hostileRepository();
  repository.write('.gitignore', 'notes.md\n');
  const names = ['notes.md', 'src/a.ts', 'new file.txt', '--stdin', ':(top)notes.md', ':!src', '*.md'];
  for (const name of names.slice(3)) repository.write(name, 'x');
  const ignored = await Promise.all(
    names.map((name) =>
      isIgnored(join(repository.root, name), { cwd: repository.root, env: repository.env }),
    ),
  );
  expect(Object.fromEntries(names.map((name, index) => [name, ignored[index]]))).toEqual({
    'notes.md': true,
    'src/a.ts': false,
    'new file.txt': false,
    '--stdin': false,
    ':(top)notes.md': false,
    ':!src': false,
    '*.md': false,
  });
  expect(repository.sprung()).toEqual([]);
});
