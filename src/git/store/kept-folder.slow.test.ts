import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimKept, filesIn, giveBack } from './kept-folder.ts';
import { openScratch, filling, many, contentsOf } from './kept-folder.test-helper.ts';

test('a folder that differs in most files is filled from scratch', async () => {
  const { base, store } = openScratch();
  const folder = join(base, 'run');
  const old = Object.fromEntries(
    Array.from({ length: 2100 }, (_, index) => [`old/${index}`, `${index % 5}`]),
  );
  await filling(store, folder, old).whole;
  await filling(store, folder, { 'new/1': '1' }).whole;
  expect(readdirSync(filesIn(folder))).toEqual(['new']);
});

test('two parallel runs have a folder each, and both are kept', async () => {
  const { base, store, other } = openScratch();
  const second = other();
  const [one, two] = [join(base, 'one'), join(base, 'two')];
  await Promise.all([filling(store, one, many).whole, filling(second, two, { ...many, own: '2' }).whole]);
  expect([contentsOf(one), contentsOf(two)]).toEqual([many, { ...many, own: '2' }]);
  await Promise.all([giveBack(store, one), giveBack(second, two)]);
  expect(readdirSync(join(store.folder, 'folders'))).toHaveLength(2);
  for (const [run, keeper] of [
    [one, store],
    [two, second],
    [join(base, 'three'), store],
  ] as const)
    claimKept(keeper, run);
  expect([one, two, join(base, 'three')].map((folder) => existsSync(folder))).toEqual([true, true, false]);
});

test('at most two folders are kept', async () => {
  const { base, store } = openScratch();
  for (const name of ['one', 'two', 'three']) await filling(store, join(base, name), many).whole;
  for (const name of ['one', 'two', 'three']) await giveBack(store, join(base, name));
  expect(readdirSync(join(store.folder, 'folders'))).toHaveLength(2);
});
