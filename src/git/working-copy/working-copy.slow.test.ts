import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  hostileRepository,
  scratchFolder,
  scratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import { openWorkingCopy, type WorkingCopy } from './working-copy.ts';

interface User {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The folders of one run; a resumed run opens them again. */
function runOf({ root, env }: User, runId = 'r1') {
  const runFolder = join(root, '.collab/runs', runId);
  mkdirSync(runFolder, { recursive: true });
  writeFileSync(join(root, '.collab/.gitignore'), '*\n');
  const folder = join(scratchFolder(), 'work');
  const open = (cwd = root): Promise<WorkingCopy> => openWorkingCopy({ cwd, folder, runId, runFolder, env });
  return { open, folder, runFolder };
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => name !== '.git' && statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

test("a clean repository: the lead's folder has its files, and the branch starts at HEAD", async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.write('sub/b.txt', 'b\n');
  const head = user.commit('first');
  const run = runOf(user);
  const copy = await run.open(join(user.root, 'sub'));
  expect(filesIn(copy.folder)).toEqual({ 'a.txt': 'one\n', 'sub/b.txt': 'b\n' });
  expect({ base: copy.base, branch: copy.branch, root: copy.root }).toEqual({
    base: head,
    branch: 'collab/r1',
    root: user.root,
  });
  expect(user.git('rev-parse', 'collab/r1').trim()).toBe(head);
  expect(user.git('worktree', 'list')).toContain(`${run.folder}  ${head.slice(0, 7)} [collab/r1]`);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: copy.folder, env: user.env }).toString()).toBe(
    '',
  );
  expect(user.git('status', '--porcelain')).toBe('');
});

test('uncommitted changes are the first commit of the branch, the lead’s work the second', async () => {
  const user = scratchRepository();
  user.write('.gitignore', 'ignored\n');
  user.write('a.txt', 'one\n');
  user.write('gone.txt', 'x\n');
  user.commit('first');
  user.write('a.txt', 'dirty\n');
  user.write('new.txt', 'new\n');
  user.write('ignored', 'x\n');
  rmSync(join(user.root, 'gone.txt'));
  const copy = await runOf(user).open();
  expect(filesIn(copy.folder)).toEqual({ '.gitignore': 'ignored\n', 'a.txt': 'dirty\n', 'new.txt': 'new\n' });
  writeFileSync(join(copy.folder, 'a.txt'), 'led\n');
  writeFileSync(join(copy.folder, 'ignored'), 'built\n');
  const head = await copy.commit(await copy.snapshot(), 'collab: round 1');
  expect(user.git('log', '--format=%s %cn', 'collab/r1').trim().split('\n')).toEqual([
    'collab: round 1 collab',
    'The working tree as the run found it collab',
    'first A',
  ]);
  expect(user.git('rev-parse', 'collab/r1').trim()).toBe(head);
  const diff = await copy.diff(copy.base, head);
  expect(diff.split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
    '--- a/a.txt',
    '+++ b/a.txt',
    '-dirty',
    '+led',
  ]);
  expect(readFileSync(join(user.root, 'a.txt'), 'utf8')).toBe('dirty\n');
});

test('the lead’s work is read like any change: the function of a hunk is named, the attributes are those of the base', async () => {
  const user = scratchRepository();
  const body = ['one', 'two', 'three', 'four', 'five'].map((name) => `  ${name}();\n`);
  user.write('.gitattributes', 'gen/** linguist-generated\n');
  user.write('gen/b.js', 'b\n');
  user.write('a.js', `function sum() {\n${body.join('')}}\n`);
  user.commit('first');
  const copy = await runOf(user).open();
  writeFileSync(join(copy.folder, 'a.js'), `function sum() {\n${body.join('')}  six();\n}\n`);
  writeFileSync(join(copy.folder, 'gen/b.js'), 'changed\n');
  writeFileSync(join(copy.folder, '.gitattributes'), '* linguist-generated\n');
  const { diffText, attributes } = await copy.change(copy.base, await copy.snapshot());
  expect(diffText).toContain('\n@@ -4,4 +4,5 @@ function sum() {\n');
  expect(attributes).toEqual({ 'gen/b.js': { generated: true, vendored: null, shown: true } });
});

test('without changes there is no commit, and the head stays', async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  const head = user.commit('first');
  const copy = await runOf(user).open();
  expect(await copy.commit(await copy.snapshot(), 'nothing')).toBe(head);
  expect(copy.head()).toBe(head);
});

test('environment files are neither copied nor committed, and stay as in HEAD', async () => {
  const user = scratchRepository();
  user.write('.env', 'KEY=1\n');
  user.write('a.txt', 'a\n');
  user.commit('first');
  user.write('app/.env.local', 'KEY=staged\n');
  user.git('add', '--all');
  user.write('.env', 'KEY=changed\n');
  user.write('.env.new', 'KEY=new\n');
  user.write('a.txt', 'changed\n');
  const copy = await runOf(user).open();
  expect(filesIn(copy.folder)).toEqual({ 'a.txt': 'changed\n' });
  writeFileSync(join(copy.folder, '.env'), 'KEY=led\n');
  writeFileSync(join(copy.folder, 'b.txt'), 'b\n');
  await copy.commit(await copy.snapshot(), 'work');
  expect(user.git('ls-tree', '-r', '--name-only', 'collab/r1').trim().split('\n')).toEqual([
    '.env',
    'a.txt',
    'b.txt',
  ]);
  expect(user.git('show', 'collab/r1:.env')).toBe('KEY=1\n');
  const objects = user
    .git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)')
    .trim()
    .split('\n');
  expect(
    objects
      .map((id) => user.git('cat-file', '-p', id))
      .filter((text) => /KEY=(?:changed|led|new)/.test(text)),
  ).toEqual([]);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: copy.folder, env: user.env }).toString()).toBe(
    '',
  );
});

test('programs, links and names that are not UTF-8 are kept', async () => {
  const user = scratchRepository();
  user.write('run.sh', '#!/bin/sh\n');
  chmodSync(join(user.root, 'run.sh'), 0o755);
  symlinkSync('nowhere/at all', join(user.root, 'link'));
  const odd = Buffer.concat([Buffer.from(`${user.root}/`), Buffer.from([0x66, 0xff, 0x0a])]);
  writeFileSync(odd, 'odd\n');
  user.commit('first');
  const copy = await runOf(user).open();
  expect(user.git('diff', '--stat', copy.base, 'HEAD')).toBe('');
  const names = readdirSync(copy.folder, { encoding: 'buffer' }).map((name) => name.toString('latin1'));
  expect(names.toSorted()).toEqual(['.git', 'f\xFF\n', 'link', 'run.sh']);
  chmodSync(join(copy.folder, 'run.sh'), 0o644);
  writeFileSync(Buffer.concat([Buffer.from(`${copy.folder}/`), Buffer.from([0x66, 0xff, 0x0a])]), 'even\n');
  const head = await copy.commit(await copy.snapshot(), 'work');
  expect(user.git('diff', '--raw', 'HEAD', head)).toMatch(
    /^:100644 100644 .* M\t"f\\377\\n"\n:100755 100644 .*\trun.sh\n$/,
  );
});

test("the folder keeps the user's line endings, and the branch has those that the repository requires", async () => {
  const user = scratchRepository();
  user.git('config', 'core.autocrlf', 'true');
  user.write('a.txt', 'one\r\ntwo\r\n');
  user.write('mixed.txt', 'one\r\ntwo\n');
  const first = user.commit('first');
  const copy = await runOf(user).open();
  expect(copy.base).toBe(first);
  expect(filesIn(copy.folder)).toEqual({ 'a.txt': 'one\r\ntwo\r\n', 'mixed.txt': 'one\r\ntwo\n' });
  const start = await copy.snapshot();
  writeFileSync(join(copy.folder, 'a.txt'), 'one\r\nTWO\r\n');
  writeFileSync(join(copy.folder, 'mixed.txt'), 'gone');
  await copy.restore(start);
  expect(filesIn(copy.folder)['mixed.txt']).toBe('one\r\ntwo\n');
  writeFileSync(join(copy.folder, 'a.txt'), 'one\r\nTWO\r\n');
  const head = await copy.commit(await copy.snapshot(), 'work');
  expect(user.git('diff', '--numstat', first, head).trim()).toBe('1\t1\ta.txt');
  expect(user.git('show', `${head}:a.txt`)).toBe('one\nTWO\n');
});

test('no attribute of the repository changes a byte of a restored file', async () => {
  const user = scratchRepository();
  user.write('.gitattributes', '* text=auto eol=crlf ident\n*.u16 working-tree-encoding=UTF-16LE\n');
  const first = user.commit('first');
  const copy = await runOf(user).open();
  const contents = { 'lf.txt': '$Id$ one\ntwo\n', 'mixed.txt': 'one\r\ntwo\n', 'a.u16': 'no UTF-16' };
  for (const [path, content] of Object.entries(contents)) writeFileSync(join(copy.folder, path), content);
  const tree = await copy.snapshot();
  await copy.restore(first);
  expect(Object.keys(filesIn(copy.folder))).toEqual(['.gitattributes']);
  await copy.restore(tree);
  expect(filesIn(copy.folder)).toMatchObject(contents);
});

test('a repository without commits gets a first one; a detached HEAD works like a branch', async () => {
  const empty = scratchRepository();
  empty.write('a.txt', 'a\n');
  const fresh = await runOf(empty).open();
  expect(empty.git('log', '--format=%s', fresh.base).trim()).toBe('The working tree as the run found it');
  expect(filesIn(fresh.folder)).toEqual({ 'a.txt': 'a\n' });
  const bare = await runOf(scratchRepository()).open();
  expect(filesIn(bare.folder)).toEqual({});

  const detached = scratchRepository();
  detached.write('a.txt', 'a\n');
  const head = detached.commit('first');
  detached.git('checkout', '--quiet', '--detach');
  expect((await runOf(detached).open()).base).toBe(head);
});

test('a submodule stays, and a file that a sparse checkout leaves out is not deleted', async () => {
  const user = scratchRepository();
  user.write('in/a.txt', 'a\n');
  user.write('out/b.txt', 'b\n');
  const submodule = scratchRepository(join(user.root, 'in/sub'));
  submodule.write('inner.txt', 'inner\n');
  submodule.commit('inner');
  user.commit('first');
  user.git('sparse-checkout', 'set', '--cone', 'in');
  const copy = await runOf(user).open();
  expect(filesIn(copy.folder)).toEqual({ 'in/a.txt': 'a\n' });
  writeFileSync(join(copy.folder, 'in/a.txt'), 'A\n');
  const head = await copy.commit(await copy.snapshot(), 'work');
  expect(user.git('diff', '--name-status', 'HEAD', head).trim()).toBe('M\tin/a.txt');
});

test('nothing of a hostile repository is executed, from opening to closing', async () => {
  const user = hostileRepository();
  const before = user.sprung();
  const run = runOf(user);
  const copy = await run.open();
  const start = await copy.snapshot();
  writeFileSync(join(copy.folder, 'src/a.ts'), 'export const a = 4;\n');
  writeFileSync(join(copy.folder, 'src/new.txt'), 'new\n');
  const tree = await copy.snapshot();
  await copy.restore(start);
  await copy.restore(tree);
  const head = await copy.commit(tree, 'work');
  const diff = await copy.diff(copy.base, head);
  await run.open();
  await copy.close();
  expect({ before, after: user.sprung() }).toEqual({ before: [], after: [] });
  expect(diff).toContain('-export const a = 3;\n+export const a = 4;');
  expect(user.git('-c', 'core.fsmonitor=false', 'show', '--no-ext-diff', `${head}:src/a.ts`)).toBe(
    'export const a = 4;\n',
  );
});

test('closing removes the folder and the worktree but not the branch; reopening restores everything', async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.commit('first');
  const run = runOf(user);
  const copy = await run.open();
  writeFileSync(join(copy.folder, 'a.txt'), 'two\n');
  const head = await copy.commit(await copy.snapshot(), 'work');
  await copy.close();
  expect(existsSync(run.folder)).toBe(false);
  expect(existsSync(join(user.root, '.git/worktrees'))).toBe(false);
  expect(user.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(user.git('rev-parse', 'collab/r1').trim()).toBe(head);
  const again = await run.open();
  expect(filesIn(again.folder)).toEqual({ 'a.txt': 'two\n' });
  expect([again.head(), again.base]).toEqual([head, copy.base]);
});

test('commits by the lead itself stay in the history', async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.commit('first');
  const copy = await runOf(user).open();
  const inFolder = (...args: readonly string[]) =>
    execFileSync('git', [...args], { cwd: copy.folder, env: user.env });
  writeFileSync(join(copy.folder, 'a.txt'), 'two\n');
  inFolder('commit', '--quiet', '--all', '--message', 'the lead');
  const own = user.git('rev-parse', 'collab/r1').trim();
  expect(await copy.commit(await copy.snapshot(), 'round 1')).toBe(own);
  inFolder('commit', '--quiet', '--amend', '--message', 'again');
  writeFileSync(join(copy.folder, 'a.txt'), 'three\n');
  await copy.commit(await copy.snapshot(), 'round 2');
  expect(user.git('log', '--format=%s', 'collab/r1').trim().split('\n')).toEqual([
    'round 2',
    'the lead',
    'first',
  ]);
});

test('without git: a private copy, otherwise the same', async () => {
  const root = scratchFolder();
  const env = scratchRepository().env;
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('a.txt', 'one\n');
  write('.env', 'KEY=1\n');
  write('node_modules/x/index.js', 'x\n');
  write('large.bin', Buffer.alloc(1024 * 1024 + 1));
  symlinkSync('a.txt', join(root, 'link'));
  const run = runOf({ root, env });
  const copy = await run.open();
  expect(filesIn(copy.folder)).toEqual({ 'a.txt': 'one\n', link: 'one\n' });
  writeFileSync(join(copy.folder, 'a.txt'), 'two\n');
  mkdirSync(join(copy.folder, 'node_modules'));
  writeFileSync(join(copy.folder, 'node_modules/y'), 'y\n');
  const head = await copy.commit(await copy.snapshot(), 'work');
  expect((await copy.diff(copy.base, head)).split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
    '--- a/a.txt',
    '+++ b/a.txt',
    '-one',
    '+two',
  ]);
  expect({ branch: copy.branch, remark: copy.remark }).toEqual({
    branch: null,
    remark: '1 file above 1 MB left out',
  });
  expect(existsSync(join(root, '.git'))).toBe(false);
  await copy.close();
  execFileSync('git', ['init', '--quiet'], { cwd: root, env });
  const again = await run.open();
  expect(filesIn(again.folder)).toEqual({ 'a.txt': 'two\n', link: 'two\n' });
  expect({ head: again.head(), branch: again.branch }).toEqual({ head, branch: null });
});
