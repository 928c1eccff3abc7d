import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder, scratchRepository, twoBranches } from '../../../test/fixtures/scratch-repository.ts';
import type { ChangeRequest } from './change-input.ts';
import { resolveChange } from './resolve-change.ts';

async function linesOf(cwd: string, env: Readonly<Record<string, string>>, request: ChangeRequest) {
  const { diffText } = await resolveChange(request, { cwd, env });
  return diffText.split('\n').filter((line) => /^(?:[+-](?![+-]{2} )|diff)/.test(line));
}

const workingTree: ChangeRequest = { kind: 'working_tree' };

test('files that a sparse checkout leaves out do not count as deleted', async () => {
  const { root, env, git, write, commit } = scratchRepository();
  write('in/a.txt', 'a\n');
  write('out/b.txt', 'b\n');
  commit('both');
  git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
  expect(await linesOf(root, env, workingTree)).toEqual([]);
  write('in/a.txt', 'c\n');
  expect(await linesOf(root, env, workingTree)).toEqual(['diff --git a/in/a.txt b/in/a.txt', '-a', '+c']);
  expect(await linesOf(root, env, { kind: 'staged' })).toEqual([]);
});

test('a split index is read completely', async () => {
  const { repository } = twoBranches();
  repository.git('update-index', '--split-index');
  repository.write('b.txt', 'b\n');
  repository.git('add', 'b.txt');
  const staged = await linesOf(repository.root, repository.env, { kind: 'staged' });
  expect(staged).toEqual(['diff --git a/b.txt b/b.txt', '+b']);
});

test('in a commit hook, the index about to be committed is the staged state', async () => {
  const { repository } = twoBranches();
  const { root, env } = repository;
  const other = join(root, '.git/next-index.lock');
  repository.write('a.txt', 'next\n');
  execFileSync('git', ['read-tree', 'HEAD'], { cwd: root, env: { ...env, GIT_INDEX_FILE: other } });
  execFileSync('git', ['add', 'a.txt'], { cwd: root, env: { ...env, GIT_INDEX_FILE: other } });
  expect(await linesOf(root, env, { kind: 'staged' })).toEqual([]);
  const hook = {
    ...env,
    GIT_INDEX_FILE: '.git/next-index.lock',
    GIT_DIR: '/nowhere',
    GIT_EXTERNAL_DIFF: '/nowhere',
  };
  expect(await linesOf(root, hook, { kind: 'staged' })).toContain('+next');
});

test('a partial clone without the contents is refused, and nothing is fetched', async () => {
  const { repository, head } = twoBranches();
  repository.git('config', 'uploadpack.allowFilter', 'true');
  const clone = join(scratchFolder(), 'clone');
  const flags = ['--quiet', '--no-checkout', '--filter=blob:none', `file://${repository.root}`, clone];
  execFileSync('git', ['clone', ...flags], { env: repository.env, stdio: 'ignore' });
  const options = { cwd: clone, env: repository.env };
  const refusal = await refusalOf(resolveChange({ kind: 'commit', sha: head }, options));
  expect(refusal).toEqual({
    code: 'range',
    message: expect.stringMatching(/^the change cannot be read: .*[0-9a-f]{40}/),
    hint: 'Check for missing objects in a partial or damaged clone: git fsck',
  });
});

test('a moved submodule is part of the change, its contents are not', async () => {
  const { repository } = twoBranches();
  const submodule = scratchRepository(join(repository.root, 'sub'));
  const first = submodule.commit('first');
  repository.commit('with submodule');
  submodule.write('inner.txt', 'dirty\n');
  expect(await linesOf(repository.root, repository.env, workingTree)).toEqual([]);
  const second = submodule.commit('second');
  expect(await linesOf(repository.root, repository.env, workingTree)).toEqual([
    'diff --git a/sub b/sub',
    `-Subproject commit ${first}`,
    `+Subproject commit ${second}`,
  ]);
});

test('a damaged HEAD is refused, not treated as a repository without commits', async () => {
  const { repository } = twoBranches();
  writeFileSync(join(repository.root, '.git/HEAD'), `${'1'.repeat(40)}\n`);
  const options = { cwd: repository.root, env: repository.env };
  expect(await refusalOf(resolveChange(workingTree, options))).toEqual({
    code: 'range',
    message: 'HEAD names a commit that is not in this repository',
    hint: 'Check the repository: git fsck',
  });
});

test('refs in an unknown format are refused, not overlooked', async () => {
  const { repository } = twoBranches();
  repository.git('config', 'extensions.refStorage', 'reftable');
  const options = { cwd: repository.root, env: repository.env };
  expect(await refusalOf(resolveChange(workingTree, options))).toEqual({
    code: 'input',
    message: 'this repository stores its refs as "reftable", which is not supported',
    hint: 'Pipe the change instead: git diff main...HEAD | collab review -',
  });
});

test('the upstream of a branch can be named', async () => {
  const { repository } = twoBranches();
  repository.git('config', 'remote.origin.url', 'ext::touch nowhere');
  repository.git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  repository.git('update-ref', 'refs/remotes/origin/topic', 'main');
  repository.git('branch', '--quiet', '--set-upstream-to=origin/topic');
  const lines = await linesOf(repository.root, repository.env, { kind: 'base', ref: '@{upstream}' });
  expect(lines).toEqual(['diff --git a/a.txt b/a.txt', '-two', '+TWO']);
});

test('an abort stops the work', async () => {
  const { repository } = twoBranches();
  const options = { cwd: repository.root, env: repository.env, signal: AbortSignal.abort() };
  expect((await refusalOf(resolveChange(workingTree, options))).code).toBe('cancelled');
});
