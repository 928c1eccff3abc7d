/** Small trees for the store, and their content in a folder. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withChanges, type FileList } from '../../../src/git/repository/file-list.ts';
import type { TreeEntry } from '../../../src/git/repository/list-tree.ts';
import type { Snapshot } from '../../../src/git/repository/snapshot.ts';
import { filesIn, fillFolder } from '../../../src/git/store/kept-folder.ts';
import type { PlaceThreads, Unplaced } from '../../../src/git/store/place-files.ts';
import { openNamedStore, type RepositoryStore } from '../../../src/git/store/store.ts';

export type Contents = Readonly<Record<string, string>>;

export const trees: Readonly<Record<'first' | 'second' | 'third', Contents>> = {
  first: { 'a/1': 'one', 'a/2': 'two', 'b/c/3': 'three', same: 'one' },
  second: { 'a/1': 'one', 'a/2': 'TWO', b: 'a file now', 'd/4': 'four', same: 'one' },
  third: { 'a/1/x': 'a folder now', 'a/2': 'two', 'd/4': 'four', 'd/5': 'TWO' },
};

/** Two batches for threads. */
export const manyFiles: Contents = Object.fromEntries(
  Array.from({ length: 1200 }, (_, index) => [`src/${index % 30}/${index}`, `${index}`]),
);

export function openScratchStore(base: string): RepositoryStore {
  return openNamedStore(base, '0123456789abcdef');
}

export async function fillWith(
  store: RepositoryStore,
  folder: string,
  contents: Contents,
  threads?: PlaceThreads,
): Promise<readonly Unplaced[]> {
  const read = readerOf(Object.values(contents));
  const files = listIn(store, contents);
  const { begun, whole } = fillFolder(store, { folder, files, first: () => [], read, threads });
  const [unplaced] = await Promise.all([whole, begun]);
  return unplaced;
}

/** Reads blobs with one of these texts, as a repository does that has them. */
export function readerOf(texts: readonly string[]): Snapshot['read'] {
  const known = new Map(texts.map((text) => [blobOf(text), text]));
  return async (blobs) =>
    blobs.map((blob) => {
      const text = known.get(blob);
      return text === undefined ? null : Buffer.from(text);
    });
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
    blob: blobOf(text),
    kind: 'file',
    sizeBytes: text.length,
  }));
}

function blobOf(text: string): string {
  return createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
}
