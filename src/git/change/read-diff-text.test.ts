import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { resolveChange } from './resolve-change.ts';

const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-é\n+ü\n';
const taken = {
  kind: 'file',
  base: null,
  head: null,
  mergeBase: null,
  tree: null,
  diffText: diff,
  description: 'diff file change.diff',
  empty: false,
  messages: null,
  attributes: {},
  root: null,
};

function fileWith(content: string | Uint8Array) {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'change.diff'), content);
  const take = (allowEmpty = false) =>
    resolveChange({ kind: 'file', path: 'change.diff' }, { cwd, env: {}, allowEmpty });
  return { cwd, take };
}

function takeStdin(text: string | Uint8Array, allowEmpty = false) {
  return resolveChange({ kind: 'stdin', text }, { cwd: '/', env: {}, allowEmpty });
}

test('a diff file is read unchanged, relative to the current folder', async () => {
  expect(await fileWith(diff).take()).toEqual(taken);
});

test('standard input is read unchanged, as text or bytes', async () => {
  const expected = { ...taken, kind: 'stdin', description: 'a diff from standard input' };
  expect(await takeStdin(diff)).toEqual(expected);
  expect(await takeStdin(new TextEncoder().encode(`..${diff}`).subarray(2))).toEqual(expected);
});

test('a diff in UTF-16 from a Windows shell, and one with a byte order mark, are read', async () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(diff, 'utf16le')]);
  expect((await fileWith(utf16).take()).diffText).toBe(diff);
  expect((await fileWith(`\uFEFF${diff}`).take()).diffText).toBe(diff);
});

test('a diff that contains only mode changes and renames is accepted', async () => {
  const modes = 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n';
  expect((await takeStdin(modes)).diffText).toBe(modes);
});

test('an empty file or standard input is refused, unless it is allowed', async () => {
  const hint = 'Pipe a diff (git diff main...HEAD | collab review -), or accept it: --allow-empty';
  const file = fileWith('\n');
  expect(await refusalOf(file.take())).toEqual({
    code: 'empty_input',
    message: 'change.diff is empty',
    hint,
  });
  expect(await refusalOf(takeStdin(''))).toEqual({
    code: 'empty_input',
    message: 'standard input is empty',
    hint,
  });
  expect(await file.take(true)).toEqual({ ...taken, diffText: '\n', empty: true });
  expect((await takeStdin('', true)).empty).toBe(true);
});

test.each([
  ['prose', 'Dear reviewer,\n--- this is no diff\n', 'contains no unified diff'],
  ['a diff marker inside a line', 'see diff --git a/x b/x\n', 'contains no unified diff'],
  ['a binary file', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]), 'is a binary file'],
])('%s is refused', async (_name, content, fault) => {
  const { cwd, take } = fileWith(content);
  expect(await refusalOf(take())).toEqual({
    code: 'input',
    message: `change.diff ${fault}`,
    hint: 'Make one with: git diff main...HEAD > change.diff',
  });
  expect(readdirSync(cwd)).toEqual(['change.diff']);
});

test('a missing path and a folder are refused', async () => {
  const cwd = scratchFolder();
  const take = (path: string) => refusalOf(resolveChange({ kind: 'file', path }, { cwd, env: {} }));
  expect(await take('no.diff')).toEqual({
    code: 'input',
    message: 'no.diff does not exist',
    hint: 'Name a diff file, - for standard input, a range a...b, or nothing for the working tree',
  });
  expect(await take('.')).toEqual({
    code: 'input',
    message: '. is a folder, not a diff',
    hint: 'Run `collab review` inside the folder to review its working tree',
  });
});

test('more than 256 MB is refused before it is read', async () => {
  const { cwd, take } = fileWith(diff);
  truncateSync(join(cwd, 'change.diff'), 256 * 1024 * 1024 + 1);
  expect(await refusalOf(take())).toEqual({
    code: 'input',
    message: 'change.diff is larger than 256 MB',
    hint: 'Review a smaller range, or part of the files: git diff main...HEAD -- src | collab review -',
  });
});
