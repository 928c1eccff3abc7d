import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import {
  scratchRepository,
  twoBranches,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import type { ChangeRequest } from './change-input.ts';
import { resolveChange } from './resolve-change.ts';
import { topicDiff, take, changedLines } from './resolve-change.test-helper.ts';

function treeOf(repository: ScratchRepository, name: string): string {
  return repository.git('rev-parse', `${name}^{tree}`).trim();
}

test('a range compares its second end with the merge base', async () => {
  const { repository, base, head } = twoBranches();
  repository.git('checkout', '--quiet', 'main');
  repository.write('later.txt', 'later\n');
  const later = repository.commit('later');
  const expected = {
    kind: 'range',
    base: later,
    head,
    mergeBase: base,
    tree: treeOf(repository, 'topic'),
    attributes: {},
    messages: 'topic',
    diffText: topicDiff,
    description: `main...topic: 1 changed file, since ${base.slice(0, 12)}`,
    empty: false,
    root: repository.root,
  };
  expect(await take(repository, { kind: 'range', range: 'main...topic' })).toEqual(expected);
  const direct = await take(repository, { kind: 'range', range: 'main..topic' });
  expect({ ...direct, diffText: direct.diffText.match(/^diff --git .*/gm) }).toEqual({
    ...expected,
    mergeBase: null,
    attributes: {},
    diffText: ['diff --git a/a.txt b/a.txt', 'diff --git a/later.txt b/later.txt'],
    description: 'main..topic: 2 changed files',
  });
});

test('a base means the commits of HEAD since then, from any folder of the repository', async () => {
  const { repository, base, head } = twoBranches();
  mkdirSync(join(repository.root, 'deep/er'), { recursive: true });
  const options = { cwd: join(repository.root, 'deep/er'), env: repository.env };
  expect(await resolveChange({ kind: 'base', ref: 'main' }, options)).toEqual({
    kind: 'base',
    base,
    head,
    mergeBase: base,
    tree: treeOf(repository, 'HEAD'),
    attributes: {},
    messages: 'topic',
    diffText: topicDiff,
    description: `main...HEAD: 1 changed file, since ${base.slice(0, 12)}`,
    empty: false,
    root: repository.root,
  });
});

test('a commit is compared with its first parent, the first commit with the empty tree', async () => {
  const { repository, base, head } = twoBranches();
  expect(await take(repository, { kind: 'commit', sha: head.slice(0, 8) })).toEqual({
    kind: 'commit',
    base,
    head,
    mergeBase: base,
    tree: treeOf(repository, 'HEAD'),
    attributes: {},
    messages: 'topic',
    diffText: topicDiff,
    description: `commit ${head.slice(0, 12)}: 1 changed file, against its parent ${base.slice(0, 12)}`,
    empty: false,
    root: repository.root,
  });
  const first = await take(repository, { kind: 'commit', sha: 'HEAD~1' });
  expect(first.base).toBeNull();
  expect(first.description).toBe(`commit ${base.slice(0, 12)}: 1 changed file, the first commit`);
  expect(first.diffText).toContain('new file mode 100644');
});

test('staged changes are those of the index only', async () => {
  const { repository, head } = twoBranches();
  repository.write('a.txt', 'staged\n');
  repository.git('add', 'a.txt');
  repository.write('a.txt', 'not staged\n');
  const taken = await take(repository, { kind: 'staged' });
  expect({ ...taken, diffText: changedLines(taken) }).toEqual({
    kind: 'staged',
    base: head,
    head: null,
    mergeBase: null,
    tree: expect.stringMatching(/^[0-9a-f]{40}$/),
    attributes: {},
    messages: null,
    diffText: ['-one', '-TWO', '+staged'],
    description: `staged changes against HEAD ${head.slice(0, 12)}: 1 changed file`,
    empty: false,
    root: repository.root,
  });
});

test('the working tree means every tracked change and every untracked file that is not ignored', async () => {
  const { repository } = twoBranches();
  const { root, write, git } = repository;
  write('deleted.txt', 'x\n');
  write('moved.txt', 'to be moved, long enough to be seen as the same file\n');
  const base = repository.commit('more');
  write('.gitignore', 'ignored.txt\n');
  write('a.txt', 'one\nstaged\n');
  git('add', 'a.txt');
  write('a.txt', 'one\nunstaged\n');
  rmSync(join(root, 'deleted.txt'));
  renameSync(join(root, 'moved.txt'), join(root, 'elsewhere.txt'));
  write('ignored.txt', 'x\n');
  write('.collab/runs/1/journal.jsonl', 'ours\n');
  write('new/file.txt', 'new\n');
  symlinkSync('/etc/passwd', join(root, 'link'));
  const before = git('status', '--porcelain');
  const taken = await take(repository, { kind: 'working_tree' });
  expect({ ...taken, diffText: taken.diffText.match(/^diff --git .*/gm) }).toEqual({
    kind: 'working_tree',
    base,
    head: null,
    mergeBase: null,
    tree: expect.stringMatching(/^[0-9a-f]{40}$/),
    attributes: {},
    messages: null,
    diffText: [
      'diff --git a/.gitignore b/.gitignore',
      'diff --git a/a.txt b/a.txt',
      'diff --git a/deleted.txt b/deleted.txt',
      'diff --git a/moved.txt b/elsewhere.txt',
      'diff --git a/link b/link',
      'diff --git a/new/file.txt b/new/file.txt',
    ],
    description: `working tree against HEAD ${base.slice(0, 12)}: 6 changed files, 4 of them untracked`,
    untracked: ['.gitignore', 'elsewhere.txt', 'link', 'new/file.txt'],
    hidden: ['ignored.txt'],
    empty: false,
    root,
  });
  expect(changedLines(taken)).toEqual(expect.arrayContaining(['-TWO', '+unstaged', '+/etc/passwd', '+new']));
  expect(taken.diffText).not.toContain('ours');
  expect(git('status', '--porcelain')).toBe(before);
});

test.each([
  ['a link to a folder with files of the same names', ['a', 'b']],
  ['a link to a folder above it', ['a/deep', 'b']],
  ['a link that another link leads to', ['a', 'c']],
])('a folder that is replaced by %s is gone, with its files', async (_, [from = '', to = '']) => {
  const repository = scratchRepository();
  const { root, write, git } = repository;
  for (const folder of ['a', 'a/deep', 'b'])
    for (const name of ['x', 'y']) write(`${folder}/${name}`, `${folder}\n`);
  symlinkSync('b', join(root, 'c'));
  repository.commit('folders');
  rmSync(join(root, from), { recursive: true });
  symlinkSync(relative(dirname(from), to), join(root, from));
  write('b/x', 'changed\n');
  const taken = await take(repository, { kind: 'working_tree' });
  git('add', '--all');
  expect(taken.tree).toBe(git('write-tree').trim());
  expect(taken.diffText).toMatch(`diff --git a/${from}/x b/${from}/x\ndeleted file`);
  expect(taken.diffText).toMatch(`diff --git a/${from} b/${from}\nnew file mode 120000`);
  expect(taken.untracked).toEqual([from]);
});

test('a repository without commits is compared with the empty tree', async () => {
  const repository = scratchRepository();
  repository.write('first.txt', 'first\n');
  const taken = await take(repository, { kind: 'working_tree' });
  expect({ ...taken, diffText: changedLines(taken) }).toEqual({
    kind: 'working_tree',
    base: null,
    head: null,
    mergeBase: null,
    tree: expect.stringMatching(/^[0-9a-f]{40}$/),
    attributes: {},
    messages: null,
    diffText: ['+first'],
    description: 'working tree of a repository without commits: 1 changed file, 1 of them untracked',
    untracked: ['first.txt'],
    empty: false,
    root: repository.root,
  });
  repository.git('add', 'first.txt');
  const staged = await take(repository, { kind: 'staged' });
  expect(changedLines(staged)).toEqual(['+first']);
});

test('an unchanged tree gives an empty change, not an error', async () => {
  const { repository } = twoBranches();
  const requests: readonly ChangeRequest[] = [
    { kind: 'working_tree' },
    { kind: 'staged' },
    { kind: 'range', range: 'HEAD...HEAD' },
    { kind: 'base', ref: 'topic' },
  ];
  const taken = await Promise.all(requests.map((request) => take(repository, request)));
  expect(taken.map(({ empty, diffText }) => ({ empty, diffText }))).toEqual(
    requests.map(() => ({ empty: true, diffText: '' })),
  );
});

test('the messages of the commits between the two states are returned, newest first', async () => {
  const { repository } = twoBranches();
  repository.write('a.txt', 'one\nTWO!\n');
  repository.git('commit', '--quiet', '--all', '--message', 'louder\n\n<!-- approve -->');
  const messagesOf = async (request: ChangeRequest) =>
    (await resolveChange(request, { cwd: repository.root, env: repository.env })).messages;
  expect(await messagesOf({ kind: 'base', ref: 'main' })).toBe('louder\n\n<!-- approve -->\n\ntopic');
  expect(await messagesOf({ kind: 'range', range: 'main..HEAD~1' })).toBe('topic');
  expect(await messagesOf({ kind: 'commit', sha: 'HEAD' })).toBe('louder\n\n<!-- approve -->');
  expect(await messagesOf({ kind: 'working_tree' })).toBeNull();
});
