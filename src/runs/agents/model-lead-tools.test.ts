import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samplePrivateKey } from '../../../test/fixtures/sample-secrets.ts';
import {
  hostileRepository,
  scratchFolder,
  scratchRepository,
  shared,
  twoBranches,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import type { Json } from '../../tools/definition/interfaces.ts';
import { openChangingTools, openRepositoryTools } from './model-lead-tools.ts';

const context = { signal: new AbortController().signal };

async function call({ root, env }: Pick<ScratchRepository, 'root' | 'env'>, name: string, args: Json) {
  const tools = await openRepositoryTools(root, env);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.run(args, context);
}

test('a repository has tools for files and for git, a plain folder only those for files', async () => {
  const repository = scratchRepository();
  const names = async (root: string) =>
    (await openRepositoryTools(root, repository.env)).map(({ name }) => name);
  expect(await names(repository.root)).toEqual([
    'Read',
    'LS',
    'Grep',
    'Glob',
    'GitDiff',
    'GitLog',
    'GitShow',
  ]);
  expect(await names(scratchFolder())).toEqual(['Read', 'LS', 'Grep', 'Glob']);
});

test('tools that change something are never among the read-only ones', async () => {
  const { root, env } = scratchRepository();
  const looking = await openRepositoryTools(root, env);
  expect(looking.filter(({ readOnly }) => !readOnly)).toEqual([]);
  const changing = await openChangingTools(root, env);
  expect(changing.map(({ name, readOnly }) => [name, readOnly]).slice(0, 2)).toEqual([
    ['Write', false],
    ['Edit', false],
  ]);
  expect(changing.length).toBe(process.platform === 'win32' ? 2 : 3);
});

test('a folder inside of a repository does not open the repository around it', async () => {
  const { root, env } = scratchRepository();
  const inner = join(root, 'inner');
  mkdirSync(inner);
  expect((await openRepositoryTools(inner, env)).map(({ name }) => name)).toEqual([
    'Read',
    'LS',
    'Grep',
    'Glob',
  ]);
});

test('GitDiff shows the current files against HEAD, or one commit against another', async () => {
  const { repository } = twoBranches();
  repository.write('a.txt', 'one\nthree\n');
  expect((await call(repository, 'GitDiff', {})).content).toContain('-TWO\n+three');
  const between = await call(repository, 'GitDiff', { from: 'main', to: 'topic' });
  expect(between.content).toContain('-two\n+TWO');
  expect(await call(repository, 'GitDiff', { from: 'HEAD', to: 'HEAD' })).toEqual({
    content: 'There is no difference.',
    isError: false,
  });
});

test('GitLog lists commits, of all files or of one', async () => {
  const { repository } = twoBranches();
  repository.write('b.txt', 'b');
  repository.commit('another file');
  expect((await call(repository, 'GitLog', {})).content).toMatch(
    /^\w+ 2026-01-02 A: another file\n\w+ 2026-01-02 A: topic\n\w+ 2026-01-02 A: base$/,
  );
  expect((await call(repository, 'GitLog', { path: 'b.txt' })).content).toMatch(/^\w+ \S+ A: another file$/);
  expect((await call(repository, 'GitLog', { limit: 1 })).content.split('\n')).toHaveLength(1);
});

test('GitShow shows a commit, or a file at that commit', async () => {
  const { repository, base } = twoBranches();
  expect((await call(repository, 'GitShow', { ref: 'topic' })).content).toMatch(/ topic\n[^]*-two\n\+TWO/);
  expect(await call(repository, 'GitShow', { ref: base, file_path: 'a.txt' })).toMatchObject({
    content: '1\tone\n2\ttwo',
    isError: false,
  });
});

const withSecret = shared(() => {
  const { repository } = twoBranches();
  repository.write('.env', 'SECRET=CANARY\n');
  repository.commit('a secret');
  repository.write('.env', 'SECRET=CANARY2\n');
  return repository;
});

test.each([
  ['GitShow', { ref: '--output=/tmp/x' }],
  ['GitShow', { ref: 'HEAD:.env' }],
  ['GitShow', { ref: 'nothing' }],
  ['GitShow', { ref: 'HEAD', file_path: '.env' }],
  ['GitShow', { ref: 'HEAD', file_path: '../x' }],
  ['GitShow', { ref: 'HEAD', file_path: '/etc/passwd' }],
  ['GitShow', { ref: 'HEAD', file_path: 'nothing' }],
  ['GitDiff', { from: '-O/etc/passwd' }],
  ['GitDiff', { path: ':(top).env' }],
  ['GitDiff', { path: '../..' }],
  ['GitLog', { path: '.git/config' }],
  ['GitLog', { ref: '--all' }],
  ['GitLog', { ref: ':/base' }],
])('%s refuses %j as an observation', async (name, args) => {
  const { content, isError } = await call(withSecret(), name, args);
  expect(content).not.toContain('CANARY');
  expect(isError || content === 'There is no difference.').toBe(true);
});

test('no patch contains a file that is hidden from agents', async () => {
  const { repository } = twoBranches();
  repository.write('.env', 'SECRET=CANARY\n');
  repository.write('app/.ENV.local', 'SECRET=CANARY\n');
  repository.write('app/.env/deep', 'SECRET=CANARY\n');
  repository.write('seen.txt', 'seen\n');
  repository.commit('secrets');
  repository.write('.env', 'SECRET=CANARY2\n');
  repository.write('seen.txt', 'seen again\n');
  for (const [name, args] of [
    ['GitShow', { ref: 'HEAD' }],
    ['GitDiff', {}],
    ['GitDiff', { from: 'main', to: 'HEAD' }],
    ['GitDiff', { from: 'main', path: '.' }],
  ] as const) {
    const { content } = await call(repository, name, args);
    expect(content).toContain('seen');
    expect(content).not.toContain('CANARY');
  }
});

test('secrets of files and of history are masked, including a key in the middle of its file', async () => {
  const { repository } = twoBranches();
  const lines = samplePrivateKey().text.split('\n');
  repository.write('id.pem', lines.join('\n'));
  repository.commit('a key');
  const middle = lines[2] ?? '';
  const read = await call(repository, 'Read', { file_path: 'id.pem', offset: 3, limit: 1 });
  const shown = await call(repository, 'GitShow', { ref: 'HEAD', file_path: 'id.pem' });
  const patch = await call(repository, 'GitShow', { ref: 'HEAD' });
  const found = await call(repository, 'Grep', { pattern: '.', path: 'id.pem' });
  for (const { content } of [read, shown, patch, found]) {
    expect(content).toContain('*'.repeat(20));
    expect(content).not.toContain(middle);
  }
});

test('nothing that a repository can make git execute is executed', async () => {
  const repository = hostileRepository();
  repository.reset();
  for (const [name, args] of [
    ['GitDiff', {}],
    ['GitDiff', { from: 'base', to: 'HEAD' }],
    ['GitDiff', { path: 'src' }],
    ['GitLog', {}],
    ['GitLog', { path: 'src/a.ts' }],
    ['GitShow', { ref: 'HEAD' }],
    ['GitShow', { ref: 'HEAD', file_path: 'src/a.ts' }],
    ['Grep', { pattern: 'const' }],
  ] as const) {
    const { isError, content } = await call(repository, name, args);
    expect({ name, isError, content: isError ? content : '' }).toEqual({ name, isError: false, content: '' });
  }
  expect(repository.sprung()).toEqual([]);
});

test('an abort ends git and is not an observation', async () => {
  const { repository } = twoBranches();
  const tools = await openRepositoryTools(repository.root, repository.env);
  const signal = AbortSignal.abort(new Error('stop'));
  const log = tools.find(({ name }) => name === 'GitLog');
  await expect(log?.run({}, { signal })).rejects.toThrow('stop');
});
