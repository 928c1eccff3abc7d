import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createEditTool } from './edit-tool.ts';
import type { Json } from '../definition/interfaces.ts';
import { createListTool } from './list-tool.ts';
import { createWriteTool } from './write-tool.ts';

const context = { signal: new AbortController().signal };
const mask = (text: string) => text.replaceAll('hunter2', '*******');

/** A repository with ways out of it, next to a file that no call may touch. */
function place(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const folder = scratchFolder();
  const root = join(folder, 'root');
  mkdirSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(folder, 'outside'), 'untouched');
  mkdirSync(join(folder, 'other'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return {
    root,
    link: (target: string, path: string) => symlinkSync(target, join(root, path)),
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    write: (args: Json) => createWriteTool({ root, mask }).run(args, context),
    edit: (args: Json) => createEditTool({ root }).run(args, context),
    list: (args: Json) => createListTool({ root }).run(args, context),
    outside: () => [readFileSync(join(folder, 'outside'), 'utf8'), ...readdirSync(join(folder, 'other'))],
  };
}

test('Write creates a file with its folders, and replaces an existing one', async () => {
  const { write, read, root } = place();
  expect(await write({ file_path: 'a/b/c.txt', content: 'one\ntwo\n' })).toEqual({
    content: 'Made a/b/c.txt (2 lines).',
    isError: false,
    data: { path: 'a/b/c.txt', kind: 'add', lines: 2 },
    changed: [{ path: 'a/b/c.txt', kind: 'add' }],
  });
  expect(await write({ file_path: './a/b/c.txt', content: 'three' })).toMatchObject({
    content: 'Replaced a/b/c.txt (1 lines).',
    changed: [{ path: 'a/b/c.txt', kind: 'update' }],
  });
  expect(read('a/b/c.txt')).toBe('three');
  expect(readdirSync(join(root, 'a/b'))).toEqual(['c.txt']);
});

test.each([
  '../outside',
  '/tmp/collab-x',
  'out/new',
  'out/deep/new',
  'to-outside',
  'to-nothing',
  'nowhere/new',
  '.git/hooks/pre-commit',
  '.GIT/config',
  'git/new',
  '.env',
  '.env.local',
  '.collab/runs/x',
  'a.txt/b',
  'a',
  '.',
  'C:\\x',
  'x\0y',
])('Write and Edit refuse %j, and nothing outside is touched', async (path) => {
  const { write, edit, link, outside, root } = place({ 'a.txt': 'x', 'a/b': 'x' });
  link('../other', 'out');
  link('../outside', 'to-outside');
  link('../other/new', 'to-nothing');
  link('../other/nowhere', 'nowhere');
  link('.git', 'git');
  const before = namesBelow(root);
  expect(await write({ file_path: path, content: 'y' })).toMatchObject({ isError: true });
  expect(await edit({ file_path: path, old_string: 'x', new_string: 'y' })).toMatchObject({ isError: true });
  expect(namesBelow(root)).toEqual(before);
  expect(outside()).toEqual(['untouched']);
});

test('a link within the repository is written through, and stays a link', async () => {
  const { write, link, read, root } = place({ 'real/a.txt': 'one' });
  link('real', 'folder');
  link('real/a.txt', 'file');
  await write({ file_path: 'folder/new.txt', content: 'new' });
  await write({ file_path: 'file', content: 'two' });
  expect([read('real/new.txt'), read('real/a.txt')]).toEqual(['new', 'two']);
  expect(readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())).toHaveLength(
    2,
  );
});

test.skipIf(process.platform === 'win32')('a file keeps its permissions', async () => {
  const { write, edit, root } = place({ run: '#!/bin/sh\n' });
  chmodSync(join(root, 'run'), 0o755);
  await write({ file_path: 'run', content: '#!/bin/sh\nexit 1\n' });
  await edit({ file_path: 'run', old_string: 'exit 1', new_string: 'exit 2' });
  expect(statSync(join(root, 'run')).mode & 0o777).toBe(0o755);
});

test('a file keeps its Windows line endings and its byte order mark', async () => {
  const { write, edit, read } = place({ a: '\uFEFFone\r\ntwo\r\n', mixed: 'one\r\ntwo\nthree\n' });
  await edit({ file_path: 'a', old_string: 'one\ntwo', new_string: 'one\nmore\ntwo' });
  expect(read('a')).toBe('\uFEFFone\r\nmore\r\ntwo\r\n');
  await write({ file_path: 'a', content: 'x\ny\r\n' });
  expect(read('a')).toBe('x\r\ny\r\n');
  await edit({ file_path: 'mixed', old_string: 'two\n', new_string: '2\n' });
  expect(read('mixed')).toBe('one\r\n2\nthree\n');
});

test('Edit replaces a text that occurs once, or everywhere on request', async () => {
  const { edit, read } = place({ a: 'x = 1;\ny = 1;\nz = $1;\n' });
  expect(await edit({ file_path: 'a', old_string: 'y = 1', new_string: "y = '$&'" })).toEqual({
    content: 'Changed a at line 2.',
    isError: false,
    data: { path: 'a', lines: [2] },
    changed: [{ path: 'a', kind: 'update' }],
  });
  expect(await edit({ file_path: 'a', old_string: ';', new_string: '', replace_all: true })).toMatchObject({
    content: 'Changed a at line 1, 2, 3.',
  });
  expect(read('a')).toBe("x = 1\ny = '$&'\nz = $1\n");
});

test.each([
  [{ old_string: 'one', new_string: '1' }, 'a holds old_string 2 times, at line 1, 3. Quote more around it'],
  [{ old_string: 'One', new_string: '1' }, 'a does not hold old_string. Read it again'],
  [{ old_string: 'two', new_string: 'two' }, 'old_string and new_string are the same.'],
  [{ old_string: '', new_string: 'x' }, 'The arguments of Edit do not fit its schema: old_string'],
])('Edit changes nothing for %j and says why', async (args, why) => {
  const { edit, read } = place({ a: 'one\ntwo\none\n' });
  const { content, isError } = await edit({ file_path: 'a', ...args });
  expect(content).toContain(why);
  expect([isError, read('a')]).toEqual([true, 'one\ntwo\none\n']);
});

test('a file that is not UTF-8 text is not edited: it could not be written back unchanged', async () => {
  const { edit, root } = place({ latin: new Uint8Array([0x61, 0xe4]), bin: new Uint8Array([0x61, 0]) });
  const args = { old_string: 'a', new_string: 'b' };
  expect(await edit({ file_path: 'latin', ...args })).toMatchObject({ content: 'latin is not UTF-8 text.' });
  expect(await edit({ file_path: 'bin', ...args })).toMatchObject({ content: 'bin is a binary file.' });
  expect(await edit({ file_path: 'new', ...args })).toMatchObject({ content: 'There is no new.' });
  expect(readFileSync(join(root, 'latin'))).toEqual(Buffer.from([0x61, 0xe4]));
});

test('a masked secret is not overwritten with its mask', async () => {
  const { write, edit, read } = place({ a: 'key = hunter2\nport = 1\n' });
  expect(await write({ file_path: 'a', content: 'key = *******\nport = 2\n' })).toEqual({
    content: 'a holds a secret that you were not shown. Change its other parts with Edit.',
    isError: true,
  });
  await edit({ file_path: 'a', old_string: 'port = 1', new_string: 'port = 2' });
  expect(read('a')).toBe('key = hunter2\nport = 2\n');
});

test('a file that cannot be written is an observation, and is not left half written', async () => {
  const { write, root } = place();
  const long = 'x'.repeat(300);
  expect(await write({ file_path: long, content: '' })).toMatchObject({ isError: true });
  expect(await write({ file_path: 'big', content: 'x'.repeat(2 * 1024 * 1024 + 1) })).toMatchObject({
    content: 'A file has 2 MiB at the most.',
  });
  expect([existsSync(join(root, 'big')), readdirSync(root)]).toEqual([false, ['.git']]);
});

test('LS lists a folder without entries hidden from agents', async () => {
  const { list, link } = place({ 'b.txt': '', 'a/x': '', '.env': '', '.gitignore': '' });
  link('b.txt', 'link');
  expect(await list({})).toEqual({
    content: '.gitignore\na/\nb.txt\nlink@',
    isError: false,
    data: { path: '.', entries: 4, cut: false },
  });
  expect(await list({ path: 'a' })).toMatchObject({ content: 'x' });
  expect(await list({ path: 'b.txt' })).toEqual({ content: 'b.txt is not a folder.', isError: true });
  expect(await list({ path: '..' })).toMatchObject({ isError: true });
});

test('LS limits the number of entries', async () => {
  const files = Object.fromEntries(Array.from({ length: 1003 }, (_, index) => [`f${index}`, '']));
  const { content, data } = await place(files).list({});
  expect(content.split('\n').at(-1)).toBe('(the first 1000 of 1003)');
  expect(data).toMatchObject({ entries: 1003, cut: true });
});

function namesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}
