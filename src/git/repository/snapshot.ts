import { listFiles, type FileList, type FileLists } from './file-list.ts';
import type { PrivateView } from './git-view.ts';

/** One state of a repository as one tree, so that everything read from it is consistent. Usable as long as its view. */
export interface Snapshot {
  readonly tree: string;
  readonly files: Promise<FileList>;
  /** Returns contents in the given order, which the caller owns; null for one that cannot be read. */
  readonly read: (blobs: readonly string[]) => Promise<readonly (Buffer | null)[]>;
  /** The objects that only this view has: content that was neither committed nor staged. */
  readonly newObjects: () => Promise<ReadonlySet<string>>;
}

export function takeSnapshot(view: PrivateView, lists: FileLists, tree: string): Snapshot {
  return snapshotOf(view, tree, listFiles(view, lists, tree));
}

/** The same for a tree whose files are listed already. */
export function snapshotOf(view: PrivateView, tree: string, files: Promise<FileList>): Snapshot {
  // The failure is reported to the reader of the files.
  files.catch(() => undefined);
  return { tree, files, read: (blobs) => view.objects.blobs(blobs), newObjects: () => view.newObjects() };
}
