/** The git processes of a review, which each cost as much as reading a thousand lines. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommitFiles } from '../../../src/git/change/commit-files.ts';
import { reviewWorkingTree } from '../../../src/runs/folder/working-tree-review.test-helper.ts';
import { scratchFolder, scratchRepository } from '../../fixtures/scratch-repository.ts';

/** A `git` that logs each of its calls. */
function notingGit(log: string): string {
  const folder = scratchFolder();
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  return folder;
}

function commands(calls: readonly string[]) {
  return calls.map((call) => call.split(' ')[0]);
}

test('a review starts eleven git processes, and a later one ten, of which none lists every file', async () => {
  const repository = scratchRepository();
  for (let index = 0; index < 60; index += 1) repository.write(`src/${index % 4}/${index}.txt`, `${index}\n`);
  repository.commit('base');
  const log = join(scratchFolder(), 'log');
  const env = {
    ...repository.env,
    PATH: `${notingGit(log)}:${repository.env['PATH']}`,
    XDG_STATE_HOME: scratchFolder(),
  };
  const review = async (round: number): Promise<readonly string[]> => {
    repository.write(`src/0/${round * 4}.txt`, 'changed\n');
    writeFileSync(log, '');
    const { openFolders } = await reviewWorkingTree(repository.root, env);
    const folders = openFolders(`20261123-07000${round}-0000`, scratchFolder());
    await folders.fill();
    await folders.remove();
    return readFileSync(log, 'utf8').trimEnd().split('\n').toSorted();
  };
  const [first, later] = [await review(1), await review(2)];
  const both = ['cat-file', 'config', 'config', 'diff-files', 'diff-tree', 'ls-files', 'ls-files'];
  const last = ['update-index', 'write-tree'];
  expect(commands(first)).toEqual([...both, 'ls-tree', 'ls-tree', ...last]);
  expect(commands(later)).toEqual([...both, 'ls-tree', ...last]);
  expect(later.find((call) => call.startsWith('ls-tree'))).toMatch(/ -- src\/0\/4\.txt src\/0\/8\.txt$/);
});

test('files of a commit are looked for without a git process, and one that is found is listed with one', async () => {
  const repository = scratchRepository();
  repository.write('a.txt', 'a');
  repository.write('src/b/c.txt', 'c');
  repository.commit('base');
  const log = join(scratchFolder(), 'log');
  const env = { ...repository.env, PATH: `${notingGit(log)}:${repository.env['PATH']}` };
  const files = await openCommitFiles({ kind: 'ref', ref: 'HEAD' }, { cwd: repository.root, env });
  writeFileSync(log, '');
  const found = await Promise.all(
    ['a.txt', 'b.txt', 'src', 'src/b', 'src/b/c.txt', 'src/b/d.txt', 'none/e.txt', 'a.txt/f.txt'].map(
      async (path) => (await files?.find(join(repository.root, path)))?.path ?? null,
    ),
  );
  await files?.close();
  expect(found).toEqual(['a.txt', null, null, null, 'src/b/c.txt', null, null, null]);
  expect(commands(readFileSync(log, 'utf8').trimEnd().split('\n'))).toEqual(['ls-tree', 'ls-tree']);
});
