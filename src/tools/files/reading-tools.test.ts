import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createGlobTool } from './glob-tool.ts';
import { createGrepTool } from './grep-tool.ts';
import type { Json, Tool } from '../definition/interfaces.ts';
import { readInsideText } from './read-text.ts';
import { createReadTool } from './read-tool.ts';

const context = { signal: new AbortController().signal };
const mask = (text: string) => text.replaceAll('hunter2', '*******');

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = scratchFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

function run(create: (options: { root: string; mask: typeof mask }) => Tool, root: string, args: Json) {
  return create({ root, mask }).run(args, context);
}

test('Read shows lines with their numbers', async () => {
  const root = folderWith({ 'a.ts': 'one\r\ntwo\n\nfour' });
  expect(await run(createReadTool, root, { file_path: 'a.ts' })).toEqual({
    content: '1\tone\n2\ttwo\n3\t\n4\tfour',
    isError: false,
    data: { path: 'a.ts', first_line: 1, last_line: 4, lines: 4 },
  });
});

test('Read says where it was cut and how to continue', async () => {
  const root = folderWith({ long: Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n') });
  const { content } = await run(createReadTool, root, { file_path: 'long', offset: 10, limit: 3 });
  expect(content).toBe(
    '10\tline 10\n11\tline 11\n12\tline 12\n(lines 10 to 12 of 30; continue with offset 13)',
  );
});

test('Read limits a result in bytes and a line in characters', async () => {
  const root = folderWith({ wide: `${'x'.repeat(5000)}\n`.repeat(100) });
  const { content } = await run(createReadTool, root, { file_path: 'wide' });
  expect(Buffer.byteLength(content)).toBeLessThan(66_000);
  expect(content).toContain('(cut: the line has 5000 characters)');
  expect(content).toMatch(/\(lines 1 to \d+ of 100; continue with offset \d+\)$/);
});

test('Read masks the whole file before it numbers and cuts', async () => {
  const root = folderWith({ a: 'x\npassword hunter2\n' });
  const { content } = await run(createReadTool, root, { file_path: 'a', offset: 2 });
  expect(content).toBe('2\tpassword *******');
});

test.each([
  ['bin', 'bin is a binary file.'],
  ['big', 'big has 2.1 MiB; files up to 2 MiB can be read.'],
  ['folder', 'folder is a folder; Glob lists its files.'],
  ['nothing', 'There is no nothing.'],
  ['.env', '.env is not shown to agents: .git, .env files and .collab are kept from them.'],
])('Read refuses %s', async (path, content) => {
  const root = folderWith({
    bin: new Uint8Array([65, 0, 66]),
    big: 'x'.repeat(2.1 * 1024 * 1024),
    'folder/a': 'a',
    '.env': 'SECRET=1',
  });
  expect(await run(createReadTool, root, { file_path: path })).toEqual({ content, isError: true });
});

test.skipIf(process.platform === 'win32')('Read does not wait for a pipe', async () => {
  const root = folderWith({});
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await run(createReadTool, root, { file_path: 'pipe' })).toEqual({
    content: 'pipe is not a regular file.',
    isError: true,
  });
});

test.skipIf(process.platform === 'win32')(
  'a pipe or a link that replaced a file after the check is neither waited for nor followed',
  async () => {
    const root = folderWith({ a: 'CANARY' });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    symlinkSync(join(root, 'a'), join(root, 'link'));
    const swapped = (path: string) =>
      readInsideText({ ok: true, path, real: join(root, path), kind: 'file' });
    expect(swapped('pipe')).toEqual({ ok: false, why: 'pipe is not a regular file.' });
    expect(swapped('link')).toEqual({ ok: false, why: 'link is not a regular file.' });
  },
);

test('Read says that an offset is after the end, and that a file is empty', async () => {
  const root = folderWith({ a: 'one\n', empty: '' });
  expect(await run(createReadTool, root, { file_path: 'a', offset: 7 })).toEqual({
    content: 'a has 1 lines; there is no line 7.',
    isError: true,
  });
  expect(await run(createReadTool, root, { file_path: 'empty' })).toMatchObject({
    content: '(the file is empty)',
    isError: false,
  });
});

test.each([
  [{ file_path: 7 }, 'file_path'],
  [{}, 'file_path'],
  [{ file_path: 'a', line: 3 }, 'line'],
  [{ file_path: 'a', offset: 0 }, 'offset'],
  ['a', 'expected object'],
  [null, 'expected object'],
])('X004-6 arguments %j are an observation, not a crash', async (args, fault) => {
  expect(await run(createReadTool, folderWith({ a: 'a' }), args)).toEqual({
    content: expect.stringMatching(new RegExp(`^The arguments of Read do not fit its schema: .*${fault}`)),
    isError: true,
  });
});

test('a model sees the same schema that checks its arguments', () => {
  expect(createReadTool({ root: '/', mask }).parameters).toEqual({
    type: 'object',
    properties: {
      file_path: {
        type: 'string',
        minLength: 1,
        description: 'Relative to the top of the repository.',
      },
      offset: expect.objectContaining({ type: 'integer' }),
      limit: expect.objectContaining({ type: 'integer', maximum: 2000 }),
    },
    required: ['file_path'],
    additionalProperties: false,
  });
});

const sources = {
  'src/a.ts': 'const total = 1;\nconst TOTAL = 2;\n',
  'src/deep/b.ts': 'total + 1\n',
  'src/c.css': '.total {}\n',
  'node_modules/x/index.js': 'total\n',
  '.env': 'total\n',
  '.git/config': 'total\n',
  'bin/x': new Uint8Array([0, 116, 111]),
};

test('Grep lists matches by path and line, without hidden, installed or binary files', async () => {
  expect(await run(createGrepTool, folderWith(sources), { pattern: '\\btotal\\b' })).toEqual({
    content: [
      'Found 3 matches',
      'src/a.ts:1:const total = 1;',
      'src/c.css:1:.total {}',
      'src/deep/b.ts:1:total + 1',
      '(1 files left out: binary, larger than 2 MiB or not readable)',
    ].join('\n'),
    isError: false,
    data: { matches: 3, files: 3, cut: false },
  });
});

test.each([
  [{ pattern: 'TOTAL', glob: '*.ts' }, ['src/a.ts:2:const TOTAL = 2;']],
  [{ pattern: 'total', glob: '*.css', ignore_case: true }, ['src/c.css:1:.total {}']],
  [{ pattern: 'total', path: 'src/deep' }, ['src/deep/b.ts:1:total + 1']],
  [{ pattern: 'total', path: 'src/c.css' }, ['src/c.css:1:.total {}']],
  [{ pattern: 'total', glob: 'src/*.ts' }, ['src/a.ts:1:const total = 1;']],
])('Grep narrows by %j', async (args, lines) => {
  const { content } = await run(createGrepTool, folderWith(sources), args);
  expect(content.split('\n').filter((line) => /^[\w./]+:\d+:/.test(line))).toEqual(lines);
});

test('Grep without matches says how many files it searched', async () => {
  const root = folderWith({ a: 'x', b: 'y' });
  expect((await run(createGrepTool, root, { pattern: 'zebra' })).content).toBe('No matches found in 2 files');
});

test('Grep stops at 200 matches and says so', async () => {
  const root = folderWith({ a: 'hit\n'.repeat(500) });
  const { content } = await run(createGrepTool, root, { pattern: 'hit' });
  expect(content.split('\n')).toHaveLength(202);
  expect(content).toContain('(the first 200 matches; narrow the pattern, the path or the glob)');
});

test('Grep stops a pattern that would backtrack forever', async () => {
  const root = folderWith({ a: `${'a'.repeat(60)}!` });
  expect(await run(createGrepTool, root, { pattern: '^(a+)+$' })).toEqual({
    content: 'The pattern takes too long to match in a. Write a simpler one.',
    isError: true,
  });
});

test('Grep reports the fault of a pattern', async () => {
  expect(await run(createGrepTool, folderWith({}), { pattern: '(' })).toEqual({
    content: expect.stringContaining('Unterminated group'),
    isError: true,
  });
});

test('Grep neither shows a secret nor lets a pattern probe for it', async () => {
  const root = folderWith({ a: 'login: hunter2\n' });
  expect((await run(createGrepTool, root, { pattern: 'login' })).content).toContain('a:1:login: *******');
  expect((await run(createGrepTool, root, { pattern: 'hunter' })).content).toBe(
    'No matches found in 1 files',
  );
});

test('Grep and Glob follow no link out of the folder', async () => {
  const root = folderWith({ 'in/a.txt': 'word' });
  const outside = folderWith({ 'b.txt': 'word' });
  symlinkSync(outside, join(root, 'in/out'));
  symlinkSync(join(outside, 'b.txt'), join(root, 'in/b.txt'));
  expect((await run(createGrepTool, root, { pattern: 'word' })).content).toBe(
    'Found 1 matches\nin/a.txt:1:word',
  );
  expect((await run(createGlobTool, root, { pattern: '**' })).content).toBe('Found 1 files\nin/a.txt');
  expect(await run(createGrepTool, root, { pattern: 'word', path: 'in/out' })).toMatchObject({
    isError: true,
  });
});

test('Glob lists files by name', async () => {
  const root = folderWith(sources);
  expect((await run(createGlobTool, root, { pattern: '**/*.ts' })).content).toBe(
    'Found 2 files\nsrc/a.ts\nsrc/deep/b.ts',
  );
  expect((await run(createGlobTool, root, { pattern: '*.ts', path: 'src' })).content).toBe(
    'Found 1 files\nsrc/a.ts',
  );
  expect((await run(createGlobTool, root, { pattern: '.env' })).content).toBe('No files found');
});

test('Glob stops at 500 files and says so', async () => {
  const root = folderWith(Object.fromEntries(Array.from({ length: 510 }, (_, index) => [`f${index}`, ''])));
  const { content } = await run(createGlobTool, root, { pattern: '*' });
  expect(content.split('\n')).toHaveLength(502);
  expect(content).toContain('Found 510 files');
  expect(content).toContain('(the first 500; narrow the pattern or the path)');
});

test('a search ends when it is aborted', async () => {
  const signal = AbortSignal.abort(new Error('stop'));
  const tool = createGrepTool({ root: folderWith({ a: 'x' }), mask });
  await expect(tool.run({ pattern: 'x' }, { signal })).rejects.toThrow('stop');
});
