import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { wholeList, withChanges } from '../repository/file-list.ts';
import type { TreeEntry } from '../repository/list-tree.ts';
import { openManifests } from './manifests.ts';

const blob = 'b'.repeat(40);
const entries: readonly TreeEntry[] = [
  { path: 'a b\tc\nd', blob, kind: 'file', sizeBytes: 0 },
  { path: 'link', blob, kind: 'symlink', sizeBytes: 12_345 },
  { path: 'sub', blob: 'c'.repeat(64), kind: 'submodule', sizeBytes: null },
];
const [tree, next] = ['a'.repeat(40), 'd'.repeat(64)];
const changed: TreeEntry = { path: 'link', blob, kind: 'file', sizeBytes: 7 };
const added: TreeEntry = { path: 'new\nname', blob, kind: 'file', sizeBytes: 8 };
const changes = new Map<string, TreeEntry | null>([
  ['sub', null],
  ['link', changed],
  ['new\nname', added],
]);

test('a list of files is read back as it was written, for any names', () => {
  const trees = openManifests(scratchFolder());
  trees.put(tree, wholeList(entries));
  expect(trees.get(tree)).toEqual(wholeList(entries));
  trees.put(tree, wholeList([]));
  expect([trees.get(tree)?.entries, trees.get(next), trees.get('../escape')]).toEqual([[], null, null]);
});

test('a list is kept as its differences from a whole one, which can also be read alone', () => {
  const folder = scratchFolder();
  const trees = openManifests(folder);
  const list = withChanges(trees.keep(tree, entries), changes);
  trees.put(next, list);
  expect(list.entries).toEqual([entries[0], changed, added]);
  const text = readFileSync(join(folder, 'trees', next), 'utf8');
  expect([text.includes('a b'), text.includes('new\nname')]).toEqual([false, true]);
  const later = openManifests(folder);
  expect([later.get(next), later.get(tree)?.entries, later.latest()?.base]).toEqual([list, entries, tree]);
});

test('a list whose whole list is missing does not count; the next one is written whole', () => {
  const folder = scratchFolder();
  const trees = openManifests(folder);
  const list = withChanges(trees.keep(tree, entries), changes);
  trees.put(next, list);
  rmSync(join(folder, 'lists'), { recursive: true });
  const later = openManifests(folder);
  expect([later.get(next), later.get(tree), later.latest()]).toEqual([null, null, null]);
  later.put(next, list);
  expect(openManifests(folder).get(next)).toEqual(wholeList(list.entries));
});

test('a truncated or changed list counts as missing', () => {
  const folder = scratchFolder();
  const trees = openManifests(folder);
  trees.put('e'.repeat(40), wholeList(entries));
  trees.put(next, withChanges(trees.keep(tree, entries), changes));
  const files = ['trees', 'lists'].flatMap((part) => readdirSync(join(folder, part)).map((id) => [part, id]));
  expect(files).toHaveLength(3);
  for (const [part = '', id = ''] of files) {
    const file = join(folder, part, id);
    const text = readFileSync(file, 'utf8');
    for (let length = 0; length < text.length; length += 1) {
      writeFileSync(file, text.slice(0, length));
      expect([file, length, openManifests(folder).get(id)]).toEqual([file, length, null]);
    }
    writeFileSync(file, text.replace(/symlink|gone/, 'device'));
    expect([file, openManifests(folder).get(id)]).toEqual([file, null]);
    writeFileSync(file, text);
    expect(openManifests(folder).get(id)).not.toBeNull();
  }
});
