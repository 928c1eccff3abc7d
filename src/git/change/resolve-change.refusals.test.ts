import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import {
  scratchFolder,
  twoBranches,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import type { ChangeInput, ChangeRequest } from './change-input.ts';
import { resolveChange } from './resolve-change.ts';

function take(repository: ScratchRepository, request: ChangeRequest): Promise<ChangeInput> {
  return resolveChange(request, { cwd: repository.root, env: repository.env });
}

test('a merge conflict is read from the working tree, and refused as staged', async () => {
  const { repository } = twoBranches();
  repository.git('checkout', '--quiet', 'main');
  repository.write('a.txt', 'one\n2\n');
  repository.commit('rival');
  expect(() => repository.git('merge', 'topic')).toThrow('git merge topic');
  expect(changedLines(await take(repository, { kind: 'working_tree' }))).toContain('+<<<<<<< HEAD');
  expect(await refusalOf(take(repository, { kind: 'staged' }))).toEqual({
    code: 'input',
    message: 'the index has unresolved merge conflicts',
    hint: 'Resolve and stage them, or review the working tree: collab review',
  });
});

test('an unknown revision is refused with the nearest names', async () => {
  const { repository } = twoBranches();
  expect(await refusalOf(take(repository, { kind: 'range', range: 'mian...topic' }))).toEqual({
    code: 'range',
    message: 'git finds no commit "mian"',
    hint: 'Did you mean main?',
  });
  expect(await refusalOf(take(repository, { kind: 'base', ref: '--output=/tmp/x' }))).toEqual({
    code: 'range',
    message: 'git finds no commit "--output=/tmp/x"',
    hint: 'See the existing ones: git branch --all',
  });
  expect(await refusalOf(take(repository, { kind: 'range', range: 'topic' }))).toEqual({
    code: 'range',
    message: '"topic" is not a range',
    hint: 'Write it as main...HEAD',
  });
});

test('a shallow clone without the merge base is refused with the remedy', async () => {
  const { repository, head } = twoBranches();
  repository.git('checkout', '--quiet', 'main');
  repository.write('later.txt', 'later\n');
  repository.commit('later');
  const clone = join(scratchFolder(), 'clone');
  execFileSync(
    'git',
    ['clone', '--quiet', '--depth=1', '--no-single-branch', `file://${repository.root}`, clone],
    {
      env: repository.env,
      stdio: 'ignore',
    },
  );
  const options = { cwd: clone, env: repository.env };
  const remedy =
    'Fetch the history: git fetch --unshallow (in GitHub Actions: actions/checkout with fetch-depth: 0)';
  expect(
    await refusalOf(resolveChange({ kind: 'range', range: 'origin/main...origin/topic' }, options)),
  ).toEqual({
    code: 'range',
    message: 'origin/main...origin/topic: no merge base in this shallow clone',
    hint: remedy,
  });
  expect(await refusalOf(resolveChange({ kind: 'commit', sha: head }, options))).toEqual({
    code: 'range',
    message: `the parent of ${head.slice(0, 12)} is not in this shallow clone`,
    hint: remedy,
  });
  const unknown = await refusalOf(resolveChange({ kind: 'base', ref: 'v1' }, options));
  expect(unknown.hint).toBe(`This clone is shallow. ${remedy}`);
});

test('branches without a common ancestor are refused', async () => {
  const { repository } = twoBranches();
  repository.git('checkout', '--quiet', '--orphan', 'alone');
  repository.commit('alone');
  expect(await refusalOf(take(repository, { kind: 'range', range: 'main...alone' }))).toEqual({
    code: 'range',
    message: 'main...alone: the two have no common ancestor',
    hint: 'Compare them directly with two dots (a..b), or review one commit with --commit',
  });
});

test('a folder without a repository is refused; so is a machine without git', async () => {
  const folder = scratchFolder();
  expect(await refusalOf(resolveChange({ kind: 'staged' }, { cwd: folder, env: {} }))).toEqual({
    code: 'input',
    message: `${folder} is not in a git repository`,
    hint: 'Name a diff file, or pipe one: git diff main...HEAD | collab review -',
  });
  const { repository } = twoBranches();
  const refusal = refusalOf(
    resolveChange({ kind: 'staged' }, { cwd: repository.root, env: { PATH: folder } }),
  );
  expect(await refusal).toEqual({
    code: 'input',
    message: 'git cannot be started (ENOENT)',
    hint: 'Install git, or review a diff file: collab review change.diff',
  });
});

test('a pipe in place of a file is neither read nor waited for', async () => {
  const { repository } = twoBranches();
  rmSync(join(repository.root, 'a.txt'));
  execFileSync('mkfifo', [join(repository.root, 'a.txt'), join(repository.root, 'untracked')]);
  const taken = await take(repository, { kind: 'working_tree' });
  expect(taken.diffText).toContain('deleted file mode 100644');
  expect(taken.description).toContain(': 1 changed file');
});

test('nothing is left behind, after success or refusal', async () => {
  const { repository } = twoBranches();
  repository.write('new.txt', 'x\n');
  const temporary = scratchFolder();
  vi.stubEnv('TMPDIR', temporary);
  const objects = repository.git('count-objects');
  await take(repository, { kind: 'working_tree' });
  await refusalOf(take(repository, { kind: 'base', ref: 'nowhere' }));
  repository.git('config', 'extensions.refStorage', 'reftable');
  await refusalOf(take(repository, { kind: 'staged' }));
  expect(readdirSync(temporary)).toEqual([]);
  repository.git('config', '--unset', 'extensions.refStorage');
  expect(repository.git('count-objects')).toBe(objects);
  expect(existsSync(join(repository.root, '.git/index.lock'))).toBe(false);
});

function changedLines({ diffText }: ChangeInput): readonly string[] {
  return diffText.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line));
}
