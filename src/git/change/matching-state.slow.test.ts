import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostileRepository, scratchFolder, twoBranches } from '../../../test/fixtures/scratch-repository.ts';
import { findMatchingState, type DiffBlob } from './matching-state.ts';

const zeros = '0'.repeat(40);

function twoStates() {
  const { repository } = twoBranches();
  const head = repository.git('rev-parse', 'HEAD:a.txt').trim();
  repository.write('a.txt', 'changed\n');
  const working = repository.git('hash-object', 'a.txt').trim();
  const match = async (...blobs: readonly DiffBlob[]) =>
    (await findMatchingState({ root: repository.root, env: repository.env, blobs }))?.state ?? null;
  return { repository, head, working, match };
}

test('a diff whose new side is in the working tree or in HEAD matches that state', async () => {
  const { head, working, match } = twoStates();
  expect(await match({ path: 'a.txt', newBlob: working.slice(0, 7) })).toBe('working_tree');
  expect(await match({ path: 'a.txt', newBlob: head })).toBe('head');
  expect(await match({ path: 'a.txt', newBlob: head }, { path: 'gone.txt', newBlob: zeros })).toBe('head');
});

test('nothing matches if a file differs, a deleted file exists, or the diff has no ids', async () => {
  const { repository, head, match } = twoStates();
  expect(await match({ path: 'a.txt', newBlob: 'f'.repeat(40) })).toBeNull();
  expect(await match({ path: 'a.txt', newBlob: head }, { path: 'b.txt', newBlob: head })).toBeNull();
  expect(await match({ path: 'a.txt', newBlob: head }, { path: 'b.txt', newBlob: null })).toBeNull();
  expect(await match({ path: 'a.txt', newBlob: zeros })).toBeNull();
  expect(await match({ path: 'nowhere.txt', newBlob: zeros })).toBeNull();
  expect(await match({ path: 'a.txt', newBlob: head.slice(0, 4) })).toBeNull();
  expect(await match()).toBeNull();
  rmSync(join(repository.root, 'a.txt'));
  expect(await match({ path: 'a.txt', newBlob: zeros })).toBeNull();
});

test('nothing matches without a repository; in a hostile one nothing is executed', async () => {
  const blobs = [{ path: 'src/a.ts', newBlob: 'f'.repeat(40) }];
  expect(await findMatchingState({ root: scratchFolder(), env: {}, blobs })).toBeNull();
  const repository = hostileRepository();
  expect(await findMatchingState({ root: repository.root, env: repository.env, blobs })).toBeNull();
  expect(repository.sprung()).toEqual([]);
});
