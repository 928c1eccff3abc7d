import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository, twoBranches } from '../../../test/fixtures/scratch-repository.ts';
import { resolveChange } from './resolve-change.ts';
import { topicDiff, take, changedLines } from './resolve-change.test-helper.ts';

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
