import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { openManifests } from '../store/manifests.ts';
import { listCommitted, listFiles, noLists } from './file-list.ts';
import type { TreeEntry } from './list-tree.ts';
import { listTwice, watchedView } from './file-list.test-helper.ts';

function byPath(entries: readonly TreeEntry[]): readonly TreeEntry[] {
  return entries.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

test('each state is listed as git lists it, after any change since another list', async () => {
  const repository = scratchRepository();
  const { root, git, write } = repository;
  const states: string[] = [];
  const keep = (): void => {
    repository.commit('state');
    states.push(git('rev-parse', 'HEAD^{tree}').trim());
  };
  for (let index = 0; index < 20; index += 1) write(`src/${index % 3}/${index}.txt`, `${index}\n`);
  write('bücher/ä "quoted"\tname', 'x\n');
  keep();
  write('src/0/0.txt', 'changed\n');
  git('mv', 'src/1/1.txt', 'moved');
  keep();
  git('rm', '--quiet', '-r', 'src/2', 'moved');
  write('src/2', 'a file now\n');
  write('moved/deep/file', 'a folder now\n');
  keep();
  symlinkSync('moved', join(root, 'link'));
  git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  git('update-index', '--chmod=+x', 'src/0/0.txt');
  keep();
  git('rm', '--quiet', '-r', '--cached', '.');
  write('only', 'one\n');
  git('add', 'only');
  git('commit', '--quiet', '--message', 'one');
  states.push(git('rev-parse', 'HEAD^{tree}').trim());
  const { view } = await watchedView(repository);
  const lists = openManifests(scratchFolder());
  const wanted = await Promise.all(states.map((tree) => listFiles(view, noLists, tree)));
  // In both directions, each from the list that was used last.
  for (const index of [0, 1, 2, 3, 4, 3, 0]) {
    const { entries } = await listCommitted(view, lists, states[index] ?? '');
    expect([index, byPath(entries)]).toEqual([index, byPath(wanted[index]?.entries ?? [])]);
    expect(lists.get(states[index] ?? '')?.entries).toEqual(entries);
  }
  await view.close();
});

test('a list of another repository, or one of too many changes, is not used', async () => {
  const others = openManifests(scratchFolder());
  others.keep('a'.repeat(40), []);
  const unknown = await listTwice(({ write }) => write('7.txt', 'changed\n'), {
    ...others,
    get: () => null,
    latest: () => others.get('a'.repeat(40)),
  });
  expect(unknown).toMatchObject({ ran: ['diff-tree', 'ls-tree'], files: 30 });
  const many = await listTwice(({ write }) => {
    for (let index = 0; index < 1100; index += 1) write(`new/${index}`, `${index}\n`);
  }, openManifests(scratchFolder()));
  expect(many).toMatchObject({ ran: ['diff-tree', 'ls-tree'], files: 1130 });
  expect([unknown.last, many.last].map((args) => args?.endsWith(' --'))).toEqual([true, true]);
});
