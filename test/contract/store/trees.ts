/** Small trees for the store, and their content in a folder. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withChanges, type FileList } from '../../../src/git/repository/file-list.ts';
import type { TreeEntry } from '../../../src/git/repository/list-tree.ts';
import { filesIn, fillFolder, type Unplaced } from '../../../src/git/store/kept-folder.ts';
import { openNamedStore, type RepositoryStore } from '../../../src/git/store/store.ts';

export type Contents = Readonly<Record<string, string>>;

export const trees: Readonly<Record<'first' | 'second' | 'third', Contents>> = {
  first: { 'a/1': 'one', 'a/2': 'two', 'b/c/3': 'three', same: 'one' },
  second: { 'a/1': 'one', 'a/2': 'TWO', b: 'a file now', 'd/4': 'four', same: 'one' },
  third: { 'a/1/x': 'a folder now', 'a/2': 'two', 'd/4': 'four', 'd/5': 'TWO' },
};

export function openScratchStore(base: string): RepositoryStore {
  return openNamedStore(base, '0123456789abcdef');
}

export function fillWith(
  store: RepositoryStore,
  folder: string,
  contents: Contents,
): Promise<readonly Unplaced[]> {
  const fetch = async (wanted: readonly TreeEntry[]) => {
    for (const { path, blob, sizeBytes } of wanted) {
      if (!store.blobs.has({ blob, sizeBytes: sizeBytes ?? 0 }))
        store.blobs.put(blob, Buffer.from(contents[path] ?? ''));
    }
  };
  return fillFolder(store, { folder, files: listIn(store, contents), first: () => [], fetch }).whole;
}

export function contentsOf(folder: string): Contents {
  const paths = readdirSync(filesIn(folder), { recursive: true, encoding: 'utf8' }).toSorted();
  const files = paths.filter((path) => statSync(join(filesIn(folder), path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(filesIn(folder), path), 'utf8')]));
}

/** Lists the files as a run does: by the differences from the last used list. */
export function listIn({ trees: lists }: Pick<RepositoryStore, 'trees'>, contents: Contents): FileList {
  const entries = entriesOf(contents);
  const base = lists.latest() ?? lists.keep(digestOf(entries), entries);
  const before = new Map(base.entries.map(({ path, blob }) => [path, blob]));
  const gone = [...before.keys()].filter((path) => contents[path] === undefined);
  const changed = entries.filter(({ path, blob }) => before.get(path) !== blob);
  return withChanges(
    base,
    new Map([
      ...gone.map((path) => [path, null] as const),
      ...changed.map((entry) => [entry.path, entry] as const),
    ]),
  );
}

function digestOf(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('hex');
}

export function entriesOf(contents: Contents): readonly TreeEntry[] {
  return Object.entries(contents).map(([path, text]) => ({
    path,
    blob: createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex'),
    kind: 'file',
    sizeBytes: text.length,
  }));
}
