import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { createProjectFiles, listProjectFiles } from './project-files.ts';

const { signal } = new AbortController();

test('git lists the files that it has and does not ignore, without the hidden ones and ours', async () => {
  const { root, env, write, commit } = scratchRepository();
  write('.gitignore', '*.log\n');
  write('src/a.ts', '');
  commit('begin');
  for (const path of ['b.ts', 'a.log', '.collab/runs/r/input.json', '.env', 'src/.git/x']) write(path, '');
  expect((await listProjectFiles(root, { env, signal })).toSorted()).toEqual([
    '.gitignore',
    'b.ts',
    'src/a.ts',
  ]);
});

test('without git all files below the folder are listed', async () => {
  const root = scratchFolder();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.ts'), '');
  writeFileSync(join(root, 'b.ts'), '');
  expect((await listProjectFiles(root, { env: {}, signal })).toSorted()).toEqual(['b.ts', 'src/a.ts']);
  expect(await listProjectFiles(join(root, 'none'), { env: {}, signal })).toEqual([]);
});

/** Resolves when the files of a new input are listed. */
async function nextOf(files: ReturnType<typeof createProjectFiles>): Promise<readonly string[]> {
  const more = new Promise<void>((resolve) => files.onMore(resolve));
  files.files();
  await more;
  return files.files();
}

test('files are listed when they are asked for first, and once more for each input', async () => {
  const root = scratchFolder();
  writeFileSync(join(root, 'a.ts'), '');
  const files = createProjectFiles(root, { env: {}, signal });
  let told = 0;
  files.onMore(() => (told += 1));
  expect(files.files()).toEqual([]);
  await expect.poll(() => told).toBe(1);
  expect(files.files()).toEqual(['a.ts']);
  writeFileSync(join(root, 'b.ts'), '');
  expect(files.files()).toEqual(['a.ts']);
  expect((await nextOf(files)).toSorted()).toEqual(['a.ts', 'b.ts']);
  expect(told).toBe(1);
});

test('a list that is the same is no news; another file instead of one is', async () => {
  const { root, env, write, git } = scratchRepository();
  write('a.ts', '');
  const files = createProjectFiles(root, { env, signal });
  expect(await nextOf(files)).toEqual(['a.ts']);
  let told = 0;
  files.onMore(() => (told += 1));
  files.files();
  git('clean', '--force', '--quiet');
  write('b.ts', '');
  expect(await nextOf(files)).toEqual(['b.ts']);
  expect(told).toBe(0);
});

test('a repository that git cannot read has no files, and stays so without an error', async () => {
  const { root, env, write } = scratchRepository();
  write('.git/HEAD', 'broken');
  let told = 0;
  const files = createProjectFiles(root, { env, signal });
  files.onMore(() => (told += 1));
  expect(files.files()).toEqual([]);
  await expect(listProjectFiles(root, { env, signal })).rejects.toBeInstanceOf(Error);
  expect([files.files(), told]).toEqual([[], 0]);
});
