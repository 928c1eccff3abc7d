import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import {
  hostileRepository,
  scratchFolder,
  scratchRepository,
  shared,
  twoBranches,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import { filesIn } from '../store/kept-folder.ts';
import { fillReviewFolder } from './review-folder.ts';
import type { TreeState } from '../repository/state-trees.ts';

async function write(
  { root, env }: ScratchRepository,
  state: TreeState,
  changedPaths: readonly string[] = [],
) {
  const base = scratchFolder();
  const kept = join(base, 'run');
  const filled = await fillReviewFolder({ root, env, state, tree: null, base, into: kept, changedPaths });
  const { tree, remark } = filled;
  return { into: filesIn(kept), written: { tree, remark, ...(await filled.whole) } };
}

function contentsOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

test('each state is written exactly: a commit, HEAD, the index, the working tree', async () => {
  const { repository, base } = twoBranches();
  repository.write('a.txt', 'staged\n');
  repository.git('add', 'a.txt');
  repository.write('a.txt', 'unstaged\n');
  repository.write('.gitignore', 'ignored\n');
  repository.write('ignored', 'x\n');
  repository.write('new.txt', 'new\n');
  const contents = async (state: TreeState) => contentsOf((await write(repository, state)).into);
  expect(await contents(base)).toEqual({ 'a.txt': 'one\ntwo\n' });
  expect(await contents('head')).toEqual({ 'a.txt': 'one\nTWO\n' });
  expect(await contents('staged')).toEqual({ 'a.txt': 'staged\n' });
  expect(await contents('working_tree')).toEqual({
    '.gitignore': 'ignored\n',
    'a.txt': 'unstaged\n',
    'new.txt': 'new\n',
  });
});

test('a tree whose files are in the store is written without git, into a kept folder or a new one', async () => {
  const { repository } = twoBranches();
  const base = scratchFolder();
  const fill = async (name: string, tree: string | null, env = repository.env) => {
    const into = join(base, name);
    const options = { root: repository.root, env, state: 'head', tree, base, into, changedPaths: [] };
    const filled = await fillReviewFolder(options);
    await filled.whole;
    return { tree: filled.tree, contents: contentsOf(filesIn(into)) };
  };
  const { tree, contents } = await fill('first', null);
  const noGit = { ...repository.env, PATH: scratchFolder() };
  expect(await fill('first', tree, noGit)).toEqual({ tree, contents });
  expect(await fill('second', tree, noGit)).toEqual({ tree, contents: { 'a.txt': 'one\nTWO\n' } });
  expect((await refusalOf(fill('third', null, noGit))).message).toContain('git cannot be started');
});

test('links become text, environment files are left out, other users can read nothing', async () => {
  const repository = scratchRepository();
  repository.write('bin/run', '#!/bin/sh\n');
  repository.write('.env', 'KEY=1\n');
  repository.write('large', 'x'.repeat(1024 * 1024 + 1));
  repository.write('empty', '');
  repository.write('binary', Buffer.from([0, 255, 10, 0]));
  symlinkSync('/etc/passwd', join(repository.root, 'link'));
  repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  const { into, written } = await write(repository, 'working_tree', ['link']);
  expect(written).toEqual({
    files: 4,
    leftOut: [
      { path: '.env', reason: 'environment_file' },
      { path: 'large', reason: 'too_large' },
    ],
    tree: expect.any(String),
    remark: null,
  });
  expect(contentsOf(into)['link']).toBe('/etc/passwd');
  expect(readFileSync(join(into, 'binary'))).toEqual(Buffer.from([0, 255, 10, 0]));
  const modes = ['', 'bin', 'bin/run'].map((path) => (statSync(join(into, path)).mode & 0o777).toString(8));
  expect(modes).toEqual(['700', '700', '400']);
});

test('a tree made by hand cannot write outside the folder or over itself', async () => {
  const repository = scratchRepository();
  const plant =
    (...args: readonly string[]) =>
    (input: string | Buffer) =>
      execFileSync('git', [...args], { cwd: repository.root, env: repository.env, input })
        .toString()
        .trim();
  const blob = plant('hash-object', '-w', '--stdin')('planted\n');
  const makeTree = plant('hash-object', '-t', 'tree', '-w', '--literally', '--stdin');
  const inner = makeTree(entry('100644', 'planted', blob));
  const tree = makeTree(
    Buffer.concat([
      entry('40000', '..', inner),
      entry('40000', '.git', inner),
      entry('100644', 'twice', blob),
      entry('40000', 'twice', inner),
    ]),
  );
  const commit = plant('commit-tree', '-m', 'planted', tree)('');
  const { into, written } = await write(repository, commit);
  expect(contentsOf(join(into, '..'))).toEqual({
    files: expect.any(String),
    store: expect.any(String),
    'review/twice': 'planted\n',
  });
  expect(written).toEqual({
    files: 1,
    leftOut: [
      { path: '../planted', reason: 'unsafe_path' },
      { path: '.git/planted', reason: 'unsafe_path' },
      { path: 'twice/planted', reason: 'unsafe_path' },
    ],
    tree: expect.any(String),
    remark: null,
  });
});

const hostile = shared(() => hostileRepository());

test.each(['head', 'staged', 'working_tree', 'base'])(
  'copying %s of a hostile repository executes nothing',
  async (state) => {
    const repository = hostile();
    const { into, written } = await write(repository, state);
    expect(repository.sprung()).toEqual([]);
    expect(readFileSync(join(into, 'src/a.ts'), 'utf8')).toMatch(/^export const a = \d;\n$/);
    expect(written.leftOut).toEqual([{ path: 'sub', reason: 'submodule' }]);
  },
);

test('a repository without commits has an empty folder at HEAD; a folder without a repository is refused', async () => {
  const { into, written } = await write(scratchRepository(), 'head');
  expect(written).toEqual({ files: 0, leftOut: [], tree: expect.any(String), remark: null });
  expect(readdirSync(into)).toEqual([]);
  const root = scratchFolder();
  const nowhere = {
    root,
    env: {},
    state: 'head',
    tree: null,
    base: root,
    into: join(root, 'x'),
    changedPaths: [],
  };
  expect(await refusalOf(fillReviewFolder(nowhere))).toEqual({
    code: 'input',
    message: `${root} is not in a git repository`,
    hint: null,
  });
});

function entry(mode: string, name: string, id: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
}
