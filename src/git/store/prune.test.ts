import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { pruneDaily, pruneStore, pruneStores, removeStores } from './prune.ts';
import { openRepositoryStore } from './store.ts';

const hourMs = 60 * 60 * 1000;
const weekMs = 7 * 24 * hourMs;

function openScratch() {
  const { root } = scratchRepository();
  const base = scratchFolder();
  const store = openRepositoryStore(base, { commonDir: join(root, '.git') });
  const put = (content: Buffer) => {
    const blob = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
    store.blobs.put(blob, content);
    return { blob, sizeBytes: content.length };
  };
  return { base, store, put };
}

test('entries unused for a week are removed; those in a folder stay', async () => {
  const { base, store, put } = openScratch();
  const [unused, used] = [put(Buffer.from('unused')), put(Buffer.from('used'))];
  store.blobs.place(used, join(base, 'run/file'));
  store.trees.put('a'.repeat(40), store.trees.keep('b'.repeat(40), []));
  for (const folder of ['folders/kept', 'trash/left'])
    mkdirSync(join(store.folder, folder), { recursive: true });
  const there = () => [
    store.blobs.has(unused),
    store.blobs.has(used),
    store.trees.get('a'.repeat(40)) !== null,
    existsSync(join(store.folder, 'folders/kept')),
  ];
  await pruneStore(store, Date.now() + weekMs - hourMs);
  expect(there()).toEqual([true, true, true, true]);
  await pruneStore(store, Date.now() + weekMs + hourMs);
  expect(there()).toEqual([false, true, false, false]);
  expect(existsSync(join(store.folder, 'trash'))).toBe(false);
});

test('unused contents above a limit are removed, unless they are younger than an hour', async () => {
  const { store, put } = openScratch();
  const blobs = Array.from({ length: 5 }, (_, index) => put(Buffer.alloc(64, `${index}`)));
  const count = () => blobs.filter((blob) => store.blobs.has(blob)).length;
  await pruneStore(store, Date.now(), 256);
  expect(count()).toBe(5);
  await pruneStore(store, Date.now() + 2 * hourMs, 256);
  expect(count()).toBe(4);
});

test('a store is cleaned once a day', async () => {
  const { store } = openScratch();
  const trash = join(store.folder, 'trash');
  const now = Date.now();
  const cleans = async (atMs: number) => {
    mkdirSync(trash, { recursive: true });
    await pruneDaily(store, atMs);
    return !existsSync(trash);
  };
  expect([await cleans(now), await cleans(now + hourMs), await cleans(now + 25 * hourMs)]).toEqual([
    true,
    false,
    true,
  ]);
});

test('the stores of eight repositories are kept, none of them longer than a week unused', async () => {
  const base = scratchFolder();
  const now = Date.now();
  const make = (name: string, ageMs: number): void => {
    mkdirSync(join(base, 'store', name, 'blobs'), { recursive: true });
    utimesSync(join(base, 'store', name), (now - ageMs) / 1000, (now - ageMs) / 1000);
  };
  for (let index = 0; index < 10; index += 1) make(`${index}`, (index + 2) * hourMs);
  make('old', weekMs + hourMs);
  make('gone-half', 0);
  expect(await pruneStores(base, now)).toBe(5);
  expect(readdirSync(join(base, 'store')).toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
  expect([await removeStores(base), readdirSync(join(base, 'store'))]).toEqual([7, []]);
});

test('a run still writes and places its blobs if another process removes its store', async () => {
  const { base, store, put } = openScratch();
  const blob = put(Buffer.from('content'));
  await removeStores(base);
  expect(store.blobs.place(blob, join(base, 'run/file'))).toBe(false);
  put(Buffer.from('content'));
  expect(store.blobs.place(blob, join(base, 'run/file'))).toBe(true);
});

test('a store that another process removed needs no cleaning', async () => {
  const { base, store } = openScratch();
  await removeStores(base);
  await pruneDaily(store, Date.now());
  expect(existsSync(store.folder)).toBe(false);
});
