import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { filesBeforeDiff } from './before-diff.ts';

type Files = Readonly<Record<string, string>>;

function folderOf(files: Files): string {
  const top = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  return top;
}

/** The text of `path` before the diff, in a checkout with these files. */
function before(diff: string, path: string, files: Files): Promise<string | null> {
  const top = folderOf(files);
  return filesBeforeDiff(diff, top).read(join(top, path), path, 1000);
}

/** `one` becomes `two`. */
function edit(from: string, to = from): string {
  return `--- a/${from}\n+++ b/${to}\n@@ -1 +1 @@\n-one\n+two\n`;
}

const deletion = '--- a/x.yml\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n';
const addition = '--- /dev/null\n+++ b/x.yml\n@@ -0,0 +1 @@\n+two\n';
const longer = deletion.replace('x.yml', 'old/x.yml');
const move = `diff --git a/x.yml b/y.yml\nsimilarity index 100%\nrename from x.yml\nrename to y.yml\n`;

test.each<[string, string, string, Files, string | null]>([
  ['is not in the diff', edit('y.yml'), 'x.yml', { 'x.yml': 'any\n' }, 'any\n'],
  ['is in the diff, which is not applied', edit('x.yml'), 'x.yml', { 'x.yml': 'one\n' }, 'one\n'],
  ['is in the diff, which is applied', edit('x.yml'), 'x.yml', { 'x.yml': 'two\n' }, 'one\n'],
  ['has another case there', edit('X.yml'), 'x.yml', { 'x.yml': 'two\n' }, 'one\n'],
  ['has backslashes there', edit('d\\x.yml'), 'd/x.yml', { 'd/x.yml': 'two\n' }, 'one\n'],
  ['has a dot in its path there', edit('./d/../d/x.yml'), 'd/x.yml', { 'd/x.yml': 'two\n' }, 'one\n'],
  ['has a shorter name there', edit('x.yml'), 'd/x.yml', { 'd/x.yml': 'two\n' }, 'one\n'],
  ['is absent, but has a shorter name there', edit('x.yml'), 'd/x.yml', {}, null],
  ['has a longer name there', edit('old/x.yml'), 'x.yml', { 'x.yml': 'two\n' }, 'one\n'],
  [
    'is in another folder of the checkout',
    edit('d/x.yml'),
    'x.yml',
    { 'x.yml': 'three\n', 'd/x.yml': 'two\n' },
    'three\n',
  ],
  ['has a longer name there, and is deleted', longer, 'x.yml', {}, 'one\n'],
  ['is absent, as another one of a folder here is deleted', longer, 'x.yml', { 'old/y.yml': 'one\n' }, null],
  ['is absent, and has a longer name there', edit('old/x.yml'), 'x.yml', {}, null],
  [
    'has the shorter of two names there',
    edit('y/x.yml') + edit('d/x.yml') + edit('x.yml', 'z.yml'),
    'd/x.yml',
    { 'd/x.yml': 'two\n' },
    'one\n',
  ],
  ['is another one than a moved one', move, 'x.yml', { 'x.yml': 'three\n' }, 'three\n'],
  ['is deleted', deletion, 'x.yml', {}, 'one\n'],
  ['is added', addition, 'x.yml', { 'x.yml': 'two\n' }, null],
  ['is in another part', edit('y.yml') + edit('x.yml'), 'x.yml', { 'x.yml': 'two\n' }, 'one\n'],
  [
    'has a name in quotation marks there',
    edit('"b/\\170.yml"').replaceAll('a/"', '"').replaceAll('b/"', '"'),
    'x.yml',
    { 'x.yml': 'two\n' },
    'one\n',
  ],
])('a file that %s is read as before the diff', async (_title, diff, path, files, text) => {
  expect(await before(diff, path, files)).toBe(text);
});

test.each<[string, string, Files]>([
  ['is neither side', edit('x.yml'), { 'x.yml': 'three\n' }],
  ['is missing on both sides', edit('x.yml'), {}],
  ['is neither side, under a longer name', edit('old/x.yml'), { 'x.yml': 'three\n' }],
  ['is neither side, under a name above the checkout', edit('../x.yml'), { 'x.yml': 'three\n' }],
  ['is moved away', move, {}],
  ['is deleted and added', deletion + addition, { 'x.yml': 'two\n' }],
])('a file that %s is refused: it could be what the diff makes of it', async (_title, diff, files) => {
  expect(await refusalOf(before(diff, 'x.yml', files))).toMatchObject({
    code: 'config',
    message: 'x.yml is neither side of the diff',
  });
});

test('a copied file is read as it is', async () => {
  const copy = 'diff --git a/x.yml b/y.yml\nsimilarity index 100%\ncopy from x.yml\ncopy to y.yml\n';
  expect(await before(copy, 'x.yml', {})).toBeNull();
});

test('a link is not followed: the diff could change its target', async () => {
  const top = folderOf({ 'target.yml': 'one\n' });
  symlinkSync('target.yml', join(top, 'x.yml'));
  const source = filesBeforeDiff(edit('target.yml'), top);
  expect(await refusalOf(source.read(join(top, 'x.yml'), 'x.yml', 1000))).toMatchObject({
    code: 'config',
    message: 'x.yml is reached through a link',
  });
  expect(await source.isLink(join(top, 'x.yml'))).toBe(true);
});
