import { findRepository } from '../repository/find-root.ts';
import { openGitView, type OpenViewOptions } from '../repository/git-view.ts';
import { listTree } from '../repository/list-tree.ts';
import { findTree } from '../repository/state-trees.ts';

/** What the `index` line of a diff says about one file. */
export interface DiffBlob {
  /** On the new side; of a deleted file on the old side. */
  readonly path: string;
  /** The new side's id, abbreviated or whole; all zeros for a deleted file; null where the diff says none. */
  readonly newBlob: string | null;
}

export interface MatchOptions extends OpenViewOptions {
  readonly root: string;
  readonly blobs: readonly DiffBlob[];
}

/**
 * Is a diff from elsewhere a diff of this repository? The state whose files are, one and all, the diff's new side; null when
 * there is none, or the diff proves nothing because it names no blobs. Only with a match is the repository shown to an advisor.
 */
export async function findMatchingState({
  root,
  blobs,
  ...options
}: MatchOptions): Promise<'working_tree' | 'head' | null> {
  const repository = await findRepository(root);
  if (repository === null || !blobs.some(provesSomething)) return null;
  const view = await openGitView(repository, options);
  try {
    for (const state of ['working_tree', 'head'] as const) {
      const tree = await listTree(view, await findTree(view, state));
      const present = new Map(tree.map(({ path, blob }) => [path, blob]));
      if (blobs.every((blob) => agrees(blob, present))) return state;
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

/** A file that is missing here as there proves nothing, and a few digits prove little. */
function provesSomething({ newBlob }: DiffBlob): boolean {
  return newBlob !== null && newBlob.length >= 7 && !isAbsent(newBlob);
}
