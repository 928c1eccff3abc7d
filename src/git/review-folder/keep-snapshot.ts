import { posix } from 'node:path';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { TreeEntry } from '../repository/list-tree.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import { fetchBlobs } from '../store/fetch-blobs.ts';
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
  const entries = await snapshot.entries;
  store.trees.put(snapshot.tree, entries);
  const plan = planFolder(entries, changedPaths).entries;
  const [unkept, first] = [await snapshot.newObjects(), new Set(readFirst(plan, changedPaths))];
  await fetchBlobs(
    store,
    plan.filter((entry) => unkept.has(entry.blob) || first.has(entry)),
    snapshot.read,
  );
}

/** Returns the changed files, those beside them and then others, as many as can be copied quickly. */
export function readFirst(
  entries: readonly TreeEntry[],
  changedPaths: readonly string[],
): readonly TreeEntry[] {
  const changed = new Set(changedPaths);
  const folders = new Set(changedPaths.map((path) => posix.dirname(path)));
  const isNear = ({ path }: TreeEntry): boolean => folders.has(posix.dirname(path));
  const near = [
    ...entries.filter(({ path }) => changed.has(path)),
    ...entries.filter((entry) => !changed.has(entry.path) && isNear(entry)),
    ...entries.filter((entry) => !changed.has(entry.path) && !isNear(entry)),
  ];
  let sizeBytes = 0;
  return near.slice(0, mostFirst).filter((entry) => (sizeBytes += entry.sizeBytes ?? 0) <= mostFirstBytes);
}

const mostFirst = 500;
const mostFirstBytes = 8 * 1024 * 1024;

/** Returns the paths of a change; none of a very large one, which takes longer to read than their files save. */
export function pathsOfDiff(diff: string): readonly string[] {
  if (diff.length > mostDiffCharacters) return [];
  return parseUnifiedDiff(diff).files.map(({ path }) => path);
}

const mostDiffCharacters = 1024 * 1024;
