import type { PrivateView } from './git-view.ts';
import { listTree, type TreeEntry } from './list-tree.ts';

/** One state of a repository as one tree: whatever is read of it belongs together. Ends with its view. */
export interface Snapshot {
  readonly tree: string;
  readonly entries: Promise<readonly TreeEntry[]>;
  /** Returns contents in the given order; null for one that cannot be read. */
  readonly read: (blobs: readonly string[]) => Promise<readonly (Buffer | null)[]>;
  /** The objects that only this view has: what was not committed or staged. */
  readonly newObjects: () => Promise<ReadonlySet<string>>;
}

export function takeSnapshot(view: PrivateView, tree: string): Snapshot {
  const entries = listTree(view, tree);
  // The reader of the entries gets the failure.
  entries.catch(() => undefined);
  return { tree, entries, read: (blobs) => view.objects.blobs(blobs), newObjects: () => view.newObjects() };
}
