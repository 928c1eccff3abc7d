import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { TreeEntry } from '../repository/list-tree.ts';
import { openManifests } from './manifests.ts';

const blob = 'b'.repeat(40);
const entries: readonly TreeEntry[] = [
  { path: 'a b\tc\nd', blob, kind: 'file', sizeBytes: 0 },
  { path: 'link', blob, kind: 'symlink', sizeBytes: 12_345 },
  { path: 'sub', blob: 'c'.repeat(64), kind: 'submodule', sizeBytes: null },
];
const tree = 'a'.repeat(40);

test('a list of files is read back as it was written, for any names', () => {
  const trees = openManifests(scratchFolder());
  trees.put(tree, entries);
  expect(trees.get(tree)).toEqual(entries);
  trees.put(tree, []);
  expect([trees.get(tree), trees.get('d'.repeat(40)), trees.get('../escape')]).toEqual([[], null, null]);
});

test('a truncated or changed list counts as missing', () => {
  const folder = scratchFolder();
  const trees = openManifests(folder);
  trees.put(tree, entries);
  const text = readFileSync(join(folder, tree), 'utf8');
  for (let length = 0; length < text.length; length += 1) {
    writeFileSync(join(folder, tree), text.slice(0, length));
    expect([length, trees.get(tree)]).toEqual([length, null]);
  }
  writeFileSync(join(folder, tree), text.replace('symlink', 'device'));
  expect(trees.get(tree)).toBeNull();
});
