import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { openManifests } from '../store/manifests.ts';
import { listCommitted, listFiles } from './file-list.ts';
import type { TreeEntry } from './list-tree.ts';
import { listTwice, watchedView } from './file-list.test-helper.ts';

test('git lists only the differences from the last used list', async () => {
  const lists = openManifests(scratchFolder());
  const changed = await listTwice(({ write }) => write('7.txt', 'changed\n'), lists);
  expect(changed).toMatchObject({ ran: ['diff-tree', 'ls-tree'], files: 30 });
  expect(changed.last).toMatch(/ -- 7\.txt$/);
});

test('a list with a file that was missing from the clone is made again', async () => {
  const absent: TreeEntry = { path: '0.txt', blob: 'f'.repeat(40), kind: 'file', sizeBytes: null };
  const lists = openManifests(scratchFolder());
  const repository = scratchRepository();
  repository.write('0.txt', 'here\n');
  repository.commit('first');
  const tree = repository.git('rev-parse', 'HEAD^{tree}').trim();
  lists.put(tree, { base: null, changes: new Map(), entries: [absent] });
  const { view } = await watchedView(repository);
  expect((await listCommitted(view, lists, tree)).entries).toMatchObject([{ path: '0.txt', sizeBytes: 5 }]);
  await view.close();
});

test('a list of a tree that ends with its view is not kept for others', async () => {
  const repository = scratchRepository();
  repository.write('a.txt', 'a\n');
  repository.commit('first');
  const lists = openManifests(scratchFolder());
  const { view } = await watchedView(repository);
  await listFiles(view, lists, repository.git('rev-parse', 'HEAD^{tree}').trim());
  await view.close();
  expect(lists.latest()).toBeNull();
});
