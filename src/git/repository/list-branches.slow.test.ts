import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { listBranches } from './list-branches.ts';

test('branches are listed newest first, with the checked-out one and the one to compare with', async () => {
  const { root, env, git, commit } = scratchRepository();
  commit('first');
  git('branch', 'old/one');
  git('checkout', '--quiet', '-b', 'feature/日本');
  git('commit', '--quiet', '--allow-empty', '--date=2026-05-01T00:00:00Z', '--message', 'second');
  git('update-ref', 'refs/remotes/origin/main', 'main');
  git('update-ref', 'refs/remotes/origin/theirs', 'main');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  git('update-ref', 'refs/remotes/fork/other', 'main');
  const list = await listBranches(join(root), { env });
  expect(list).toMatchObject({ more: false, default: 'origin/main', current: 'feature/日本' });
  expect(list.branches.toSorted()).toEqual(['feature/日本', 'main', 'old/one', 'origin/theirs']);
});

test('a newer commit puts its branch first', async () => {
  const { root, env, git, commit } = scratchRepository();
  const id = commit('first');
  const tree = git('rev-parse', `${id}^{tree}`).trim();
  const raw = `tree ${tree}\nauthor A <a@b> 2000000000 +0000\ncommitter A <a@b> 2000000000 +0000\n\nlate\n`;
  writeFileSync(join(root, 'raw'), raw);
  git('update-ref', 'refs/heads/zz-late', git('hash-object', '-t', 'commit', '-w', 'raw').trim());
  expect((await listBranches(root, { env })).branches).toEqual(['zz-late', 'main']);
});

test('a repository without commits, a checked-out commit, and no repository', async () => {
  const { root, env, git, commit } = scratchRepository();
  const none = { branches: [], more: false, default: null };
  expect(await listBranches(root, { env })).toEqual({ ...none, current: 'main' });
  commit('first');
  git('checkout', '--quiet', '--detach');
  expect(await listBranches(root, { env })).toEqual({
    ...none,
    branches: ['main'],
    default: 'main',
    current: null,
  });
  expect(await listBranches(scratchFolder(), { env })).toEqual({ ...none, current: null });
});

test('a branch whose commit is missing does not hide the others', async () => {
  const { root, env, commit } = scratchRepository();
  commit('first');
  writeFileSync(join(root, '.git/refs/heads/broken'), `${'1'.repeat(40)}\n`);
  const { branches } = await listBranches(root, { env });
  expect(branches).toContain('main');
});

test('at most 200 are listed, and the list says that there are more', async () => {
  const { root, env, git, commit } = scratchRepository();
  const id = commit('first');
  for (let index = 0; index < 200; index += 1)
    writeFileSync(join(root, '.git/refs/heads', `b${index}`), `${id}\n`);
  git('pack-refs', '--all');
  const { branches, more } = await listBranches(root, { env });
  expect([branches.length, more]).toEqual([200, true]);
});
