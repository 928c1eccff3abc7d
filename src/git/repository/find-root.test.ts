import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, twoBranches } from '../../../test/fixtures/scratch-repository.ts';
import { findRepository } from './find-root.ts';

test('a repository is found from any folder in it', async () => {
  const { root } = twoBranches().repository;
  mkdirSync(join(root, 'deep/er'), { recursive: true });
  const gitDir = join(root, '.git');
  expect(await findRepository(join(root, 'deep/er'))).toEqual({ root, gitDir, commonDir: gitDir });
});

test('a linked worktree has its own folder and shares the rest', async () => {
  const { repository } = twoBranches();
  const linked = join(scratchFolder(), 'linked');
  repository.git('worktree', 'add', '--quiet', '--detach', linked);
  expect(await findRepository(linked)).toEqual({
    root: linked,
    gitDir: join(repository.root, '.git/worktrees/linked'),
    commonDir: join(repository.root, '.git'),
  });
});

test.each([
  ['nothing', () => {}],
  ['an empty .git folder', (folder: string) => mkdirSync(join(folder, '.git'))],
  ['a .git file without a pointer', (folder: string) => writeFileSync(join(folder, '.git'), 'hello\n')],
  [
    'a .git file that points nowhere',
    (folder: string) => writeFileSync(join(folder, '.git'), 'gitdir: ../x\n'),
  ],
  ['a pipe named .git', (folder: string) => void execFileSync('mkfifo', [join(folder, '.git')])],
])('%s is no repository', async (_name, prepare) => {
  const folder = scratchFolder();
  prepare(folder);
  expect(await findRepository(folder)).toBeNull();
});
