import { posix } from 'node:path';
import type { TreeEntry } from '../repository/list-tree.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import { fetchBlobs } from '../store/fetch-blobs.ts';
import { hasKept } from '../store/kept-folder.ts';
import type { RepositoryStore } from '../store/store.ts';
import { planFolder } from './plan-folder.ts';

/**
 * Keeps a snapshot for the review folder: the list of its files, the contents that only the snapshot has, and those that an
 * agent reads first. All others can be read from the repository at any time.
 */
export async function keepSnapshot(
  store: RepositoryStore,
  snapshot: Snapshot,
  changedPaths: readonly string[],
): Promise<void> {
  const files = await snapshot.files;
  store.trees.put(snapshot.tree, files);
  const [unkept, changed] = [await snapshot.newObjects(), new Set(changedPaths)];
  const isNeeded = ({ path, blob }: TreeEntry): boolean => unkept.has(blob) || changed.has(path);
  const needed = planFolder(files.entries.filter(isNeeded), changedPaths).entries;
  // A kept folder has the others already.
  const others = hasKept(store)
    ? []
    : readFirst(planFolder(files.entries, changedPaths).entries, changedPaths);
  await fetchBlobs(store, [...needed, ...others], snapshot.read);
}

/** Returns the changed files, those beside them and then others, as many as can be copied quickly. */
export function readFirst(
  entries: readonly TreeEntry[],
  changedPaths: readonly string[],
): readonly TreeEntry[] {
  const changed = new Set(changedPaths);
  const folders = new Set(changedPaths.map((path) => posix.dirname(path)));
  const byNearness: [TreeEntry[], TreeEntry[], TreeEntry[]] = [[], [], []];
  for (const entry of entries)
    byNearness[changed.has(entry.path) ? 0 : folders.has(posix.dirname(entry.path)) ? 1 : 2].push(entry);
  let sizeBytes = 0;
  return byNearness
    .flat()
    .slice(0, entries.length > mostAtOnce ? mostFirst : mostAtOnce)
    .filter((entry) => (sizeBytes += entry.sizeBytes ?? 0) <= mostFirstBytes);
}

/** A folder of so many files is copied as a whole. */
const mostAtOnce = 500;
/** Files of a larger folder: each takes about a millisecond, and the request waits for them. */
const mostFirst = 200;
const mostFirstBytes = 8 * 1024 * 1024;
