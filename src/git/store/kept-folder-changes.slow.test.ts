import { chmodSync, existsSync, linkSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entriesOf, readerOf } from '../../../test/contract/store/trees.ts';
import { wholeList } from '../repository/file-list.ts';
import { openManyFiles } from '../../system/files/many-files.ts';
import { openBlobs } from './blobs.ts';
import { claimKept, filesIn, fillFolder, giveBack } from './kept-folder.ts';
import { type RepositoryStore } from './store.ts';
import { openScratch, filling, many, someFiles, contentsOf } from './kept-folder.test-helper.ts';

/** Counts the operations on the files of folders; not those on the blobs. */
function counting(store: RepositoryStore): { readonly store: RepositoryStore; readonly done: string[] } {
  const done: string[] = [];
  const { blobs, files } = store;
  const counted: RepositoryStore = {
    ...store,
    blobs: {
      ...blobs,
      place(name, path) {
        done.push(`place ${path}`);
        return blobs.place(name, path);
      },
    },
    files: {
      ...files,
      remove(path) {
        done.push(`remove ${path}`);
        files.remove(path);
      },
      removeEmpty(path) {
        done.push(`remove ${path}`);
        files.removeEmpty(path);
      },
    },
  };
  return { store: counted, done };
}

test('a kept folder is filled with another tree by changing only what differs', async () => {
  const { base, store } = openScratch();
  await filling(store, join(base, 'one'), many).whole;
  await giveBack(store, join(base, 'one'));
  expect(existsSync(join(base, 'one'))).toBe(false);
  claimKept(store, join(base, 'two'));
  const { 'src/0/7.ts': _gone, ...rest } = many;
  const next = { ...rest, 'src/1/1.ts': 'changed', 'new/folder/a.ts': 'new' };
  const counted = counting(store);
  expect(await filling(counted.store, join(base, 'two'), next).whole).toEqual([]);
  expect(contentsOf(join(base, 'two'))).toEqual(next);
  expect(counted.done.length).toBeLessThanOrEqual(2 * 3 + 1);
});

test('a folder is changed back to files that were changed, removed or added before', async () => {
  const { base, store } = openScratch();
  const folder = join(base, 'run');
  const first = { a: '1', b: '2', 'c/d': '3' };
  for (const contents of [
    first,
    { a: 'one', 'c/d': '3', e: '4' },
    first,
    { b: '2', 'c/d': 'three' },
    first,
  ]) {
    expect(await filling(store, folder, contents).whole).toEqual([]);
    expect(contentsOf(folder)).toEqual(contents);
  }
});

test('a file becomes a folder, and a folder a file; emptied folders are removed', async () => {
  const { base, store } = openScratch();
  const folder = join(base, 'run');
  await filling(store, folder, { a: '1', 'b/c/d': '2', 'e/f/g': '3' }).whole;
  await filling(store, folder, { 'a/b': '1', b: '2' }, ['a/b', 'b']).whole;
  expect(contentsOf(folder)).toEqual({ 'a/b': '1', b: '2' });
  expect(readdirSync(filesIn(folder)).toSorted()).toEqual(['a', 'b']);
});

test('the first files are placed before the others', async () => {
  const { base, store } = openScratch();
  const folder = join(base, 'run');
  const tooMany = someFiles(510);
  const { begun, whole } = filling(store, folder, tooMany, ['src/2/100.ts', 'src/0/7.ts']);
  await begun;
  expect(Object.keys(contentsOf(folder))).toEqual(['src/0/7.ts', 'src/2/100.ts']);
  await whole;
  expect(contentsOf(folder)).toEqual(tooMany);
});

/** Links fail with the code, after so many that succeed. */
function withoutLinks(store: RepositoryStore, code: string, links: number): RepositoryStore {
  let left = links;
  const linkFile: typeof linkSync = (existing, path) => {
    left -= 1;
    if (left < 0) throw Object.assign(new Error(code), { code });
    linkSync(existing, path);
  };
  const files = openManyFiles({ linkFile });
  return { ...store, files, blobs: openBlobs(store.blobs.folder, files) };
}

test.each([
  ['EXDEV', 0],
  ['EMLINK', 35],
])(
  'a folder of copies, where links fail with %s, is kept and changed as one of links',
  async (code, links) => {
    const { base, store: real } = openScratch();
    const store = withoutLinks(real, code, links);
    expect(await filling(store, join(base, 'one'), many).whole).toEqual([]);
    const linked = Object.keys(many).filter(
      (path) => statSync(join(filesIn(join(base, 'one')), path)).nlink > 1,
    );
    expect(linked).toHaveLength(links);
    await giveBack(store, join(base, 'one'));
    claimKept(store, join(base, 'two'));
    const next = { ...many, 'src/1/1.ts': 'changed', 'src/0/7.ts': 'likewise' };
    const counted = counting(store);
    expect(await filling(counted.store, join(base, 'two'), next).whole).toEqual([]);
    expect(contentsOf(join(base, 'two'))).toEqual(next);
    expect(counted.done.length).toBeLessThanOrEqual(2 * 2 + 1);
  },
);

const damages: readonly (readonly [string, (folder: string) => void])[] = [
  ['a file of it was changed', (folder) => changeFile(join(filesIn(folder), 'src/0/7.ts'))],
  ['a folder of it became a file', (folder) => replaceByFile(join(filesIn(folder), 'src/0'))],
  ['a file of it is missing', (folder) => rmSync(join(filesIn(folder), 'src/0/7.ts'))],
  ['its filling was cut off', (folder) => rmSync(join(folder, 'files'))],
];

function replaceByFile(path: string): void {
  rmSync(path, { recursive: true });
  writeFileSync(path, '');
}

function changeFile(path: string): void {
  chmodSync(path, 0o600);
  writeFileSync(path, '#');
}

test.each(damages)('a folder is not kept if %s, and the next one is correct', async (_why, damage) => {
  const { base, store } = openScratch();
  const folder = join(base, 'run');
  await filling(store, folder, many).whole;
  damage(folder);
  await giveBack(store, folder);
  expect(existsSync(folder)).toBe(false);
  claimKept(store, folder);
  expect(existsSync(folder)).toBe(false);
  await filling(store, folder, many).whole;
  expect(contentsOf(folder)).toEqual(many);
});

test('a blob that cannot be read is reported, and the next filling reads it again', async () => {
  const { base, store } = openScratch();
  const folder = join(base, 'run');
  const entries = entriesOf({ a: '1', b: '2' });
  const read = readerOf(['1']);
  expect(await fillFolder(store, { folder, files: wholeList(entries), first: () => [], read }).whole).toEqual(
    [{ path: 'b', reason: 'not_in_clone' }],
  );
  await filling(store, folder, { a: '1', b: '2' }).whole;
  expect(contentsOf(folder)).toEqual({ a: '1', b: '2' });
});

test('a folder with one of two files of the same name is not kept', async () => {
  const { base, store } = openScratch();
  const folder = join(base, 'run');
  const twins = [...entriesOf({ a: '1' }), ...entriesOf({ a: '2' })];
  const read = readerOf(['1', '2']);
  const unplaced = await fillFolder(store, { folder, files: wholeList(twins), first: () => [], read }).whole;
  expect(unplaced).toEqual([{ path: 'a', reason: 'unsafe_path' }]);
  await giveBack(store, folder);
  claimKept(store, folder);
  await filling(store, folder, { a: '2' }).whole;
  expect(contentsOf(folder)).toEqual({ a: '2' });
});
