import { noLists, type FileLists } from '../repository/file-list.ts';
import { findRepository } from '../repository/find-root.ts';
import { openGitView, type OpenViewOptions } from '../repository/git-view.ts';
import { takeSnapshot, type Snapshot } from '../repository/snapshot.ts';
import { findTree } from '../repository/state-trees.ts';

/** The `index` line of one file in a diff. */
export interface DiffBlob {
  /** The path on the new side; for a deleted file, on the old side. */
  readonly path: string;
  /** The new side's id, abbreviated or full; all zeros for a deleted file; null when the diff has none. */
  readonly newBlob: string | null;
}

export interface MatchOptions extends OpenViewOptions {
  readonly root: string;
  readonly blobs: readonly DiffBlob[];
  /** The lists of files that are kept of the repository. Default: none. */
  readonly lists?: FileLists;
  /** Gets the state while its objects can still be read. */
  readonly onSnapshot?: (snapshot: Snapshot) => Promise<void>;
}

export interface MatchingState {
  readonly state: 'working_tree' | 'head';
  readonly tree: string;
}

/**
 * Finds the state of this repository that a diff from elsewhere belongs to: all its files match the diff's new side.
 * Returns null when there is no such state, or when the diff names no blobs and so proves nothing. Only after a match may
 * the advisor see the repository.
 */
export async function findMatchingState({
  root,
  blobs,
  lists = noLists,
  onSnapshot,
  ...options
}: MatchOptions): Promise<MatchingState | null> {
  const repository = await findRepository(root);
  if (repository === null || !blobs.some(provesSomething)) return null;
  const view = await openGitView(repository, options);
  try {
    for (const state of ['working_tree', 'head'] as const) {
      const snapshot = takeSnapshot(view, lists, await findTree(view, state));
      const present = new Map((await snapshot.files).entries.map(({ path, blob }) => [path, blob]));
      if (!blobs.every((blob) => agrees(blob, present))) continue;
      await onSnapshot?.(snapshot);
      return { state, tree: snapshot.tree };
    }
    return null;
  } finally {
    await view.close();
  }
}

function agrees({ path, newBlob }: DiffBlob, present: ReadonlyMap<string, string>): boolean {
  const blob = present.get(path);
  if (newBlob === null) return false;
  return isAbsent(newBlob) ? blob === undefined : blob?.startsWith(newBlob) === true;
}

function isAbsent(blob: string): boolean {
  return /^0+$/.test(blob);
}

/** A file that is missing on both sides proves nothing, and a short id proves little. */
function provesSomething({ newBlob }: DiffBlob): boolean {
  return newBlob !== null && newBlob.length >= 7 && !isAbsent(newBlob);
}
