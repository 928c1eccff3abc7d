import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import {
  scratchFolder,
  scratchRepository,
  twoBranches,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import type { ChangeInput, ChangeRequest } from './change-input.ts';
import { resolveChange } from './resolve-change.ts';

function take(repository: ScratchRepository, request: ChangeRequest): Promise<ChangeInput> {
  return resolveChange(request, { cwd: repository.root, env: repository.env });
}

function treeOf(repository: ScratchRepository, name: string): string {
  return repository.git('rev-parse', `${name}^{tree}`).trim();
}

const topicDiff = `diff --git a/a.txt b/a.txt
index 814f4a422927b82f5f8a43f8fab6d3839e3983f2..879de50b9a967adae6ab5fe536d4ef6e0af21bb1 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 one
-two
+TWO
`;

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

test('names that look like options, or contain line ends, escapes or invalid UTF-8, are read literally', async () => {
  const { repository } = twoBranches();
  const names = [
    '--help',
    '-rf',
    ' lead',
    'new\nline',
    'esc\u001b[31m',
    'ünï',
    '"quoted"',
    '$(touch x)',
    ':(top)x',
  ];
  for (const name of names) repository.write(name, 'x\n');
  writeFileSync(Buffer.from(`${repository.root}/latin-\xe9`, 'latin1'), 'x\n');
  const taken = await take(repository, { kind: 'working_tree' });
  expect(taken.description).toContain('10 changed files, 10 of them untracked');
  expect(taken.diffText).toContain('+++ "b/new\\nline"');
  expect(taken.diffText).toContain('+++ "b/esc\\033[31m"');
  expect(taken.diffText).toContain('+++ "b/latin-\\351"');
});

test('a linked worktree is reviewed with its own HEAD and index', async () => {
  const { repository, head } = twoBranches();
  const linked = join(scratchFolder(), 'linked');
  repository.git('worktree', 'add', '--quiet', '-b', 'other', linked, 'main');
  writeFileSync(join(linked, 'a.txt'), 'one\nlinked\n');
  const taken = await resolveChange({ kind: 'working_tree' }, { cwd: linked, env: repository.env });
  expect({ root: taken.root, lines: changedLines(taken) }).toEqual({
    root: linked,
    lines: ['-two', '+linked'],
  });
  expect(taken.base).not.toBe(head);
  const range = await resolveChange(
    { kind: 'range', range: 'other...topic' },
    { cwd: linked, env: repository.env },
  );
  expect(range.diffText).toBe(topicDiff);
});

test('repositories with SHA-256 objects, packed refs or borrowed objects are read', async () => {
  const modern = scratchRepository(undefined, '--object-format=sha256');
  modern.write('a.txt', 'a\n');
  modern.commit('a');
  modern.write('a.txt', 'b\n');
  expect(changedLines(await take(modern, { kind: 'working_tree' }))).toEqual(['-a', '+b']);

  const { repository } = twoBranches();
  repository.git('gc', '--quiet');
  repository.git('pack-refs', '--all');
  expect((await take(repository, { kind: 'range', range: 'main...topic' })).diffText).toBe(topicDiff);

  const clone = join(scratchFolder(), 'clone');
  execFileSync('git', ['clone', '--quiet', '--shared', repository.root, clone], { env: repository.env });
  const objects = join(clone, '.git/objects');
  writeFileSync(join(objects, 'info/alternates'), relative(objects, join(repository.root, '.git/objects')));
  const taken = await resolveChange(
    { kind: 'base', ref: 'origin/main' },
    { cwd: clone, env: repository.env },
  );
  expect(taken.diffText).toBe(topicDiff);
});

test('attributes of the repository neither hide a file nor convert its content', async () => {
  const { repository } = twoBranches();
  repository.write('.gitattributes', '*.txt -diff\n*.txt binary\n');
  repository.write('a.txt', 'one\nhidden?\n');
  expect(changedLines(await take(repository, { kind: 'working_tree' }))).toContain('+hidden?');
});

test("line endings are compared as the user's git compares them", async () => {
  const { repository } = twoBranches();
  repository.git('config', '--global', 'core.autocrlf', 'true');
  repository.write('a.txt', 'one\r\nTWO\r\n');
  expect((await take(repository, { kind: 'working_tree' })).empty).toBe(true);
});

test("the user's own ignore file applies", async () => {
  const { repository } = twoBranches();
  const ignore = join(scratchFolder(), 'ignore');
  writeFileSync(ignore, 'private.txt\n');
  repository.write('private.txt', 'x\n');
  expect((await take(repository, { kind: 'working_tree' })).empty).toBe(false);
  repository.git('config', '--global', 'core.excludesFile', ignore);
  expect((await take(repository, { kind: 'working_tree' })).empty).toBe(true);
  const configHome = scratchFolder();
  mkdirSync(join(configHome, 'git'));
  writeFileSync(join(configHome, 'git/ignore'), 'other.txt\n');
  repository.git('config', '--global', '--unset', 'core.excludesFile');
  rmSync(join(repository.root, 'private.txt'));
  repository.write('other.txt', 'x\n');
  const env = { ...repository.env, XDG_CONFIG_HOME: configHome };
  expect((await resolveChange({ kind: 'working_tree' }, { cwd: repository.root, env })).empty).toBe(true);
});

test('a repository inside the work tree is left out, and the notes say so', async () => {
  const { repository } = twoBranches();
  scratchRepository(join(repository.root, 'nested')).commit('x');
  const taken = await take(repository, { kind: 'working_tree' });
  expect(taken.empty).toBe(true);
  expect(taken.description).toMatch(/: 0 changed files, 1 nested repository left out$/);
});

function changedLines({ diffText }: ChangeInput): readonly string[] {
  return diffText.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line));
}

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
