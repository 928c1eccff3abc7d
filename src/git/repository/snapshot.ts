import type { PrivateView } from './git-view.ts';
import { listTree, type TreeEntry } from './list-tree.ts';

/** One state of a repository as one tree, so that everything read from it is consistent. Usable as long as its view. */
export interface Snapshot {
  readonly tree: string;
  readonly entries: Promise<readonly TreeEntry[]>;
  /** Returns contents in the given order; null for one that cannot be read. */
  readonly read: (blobs: readonly string[]) => Promise<readonly (Buffer | null)[]>;
  /** The objects that only this view has: content that was neither committed nor staged. */
  readonly newObjects: () => Promise<ReadonlySet<string>>;
}

export function takeSnapshot(view: PrivateView, tree: string): Snapshot {
  const entries = listTree(view, tree);
  // The failure is reported to the reader of the entries.
  entries.catch(() => undefined);
  return { tree, entries, read: (blobs) => view.objects.blobs(blobs), newObjects: () => view.newObjects() };
}
