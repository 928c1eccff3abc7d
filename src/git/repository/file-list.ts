/** Lists the files of a tree as changes of a kept list, so that git lists only the files that differ. */
import type { GitView } from './git-view.ts';
import { listTree, type TreeEntry } from './list-tree.ts';
import { parseRawDiff, type ChangedPath } from './raw-diff.ts';

export interface FileList {
  /** The tree of the kept list that `changes` are relative to; null if there is none. */
  readonly base: string | null;
  readonly changes: ListChanges;
  readonly entries: readonly TreeEntry[];
}

/** Entries by path; null for a path that is not in the list. */
export type ListChanges = ReadonlyMap<string, TreeEntry | null>;

/** Whole lists that are kept between runs, and the lists that differ from them. */
export interface FileLists {
  /** Returns null if there is no list of the tree. */
  get(tree: string): FileList | null;
  put(tree: string, list: FileList): void;
  /** Returns the whole list that was used last. */
  latest(): FileList | null;
  /** Keeps a whole list, from which others may differ. */
  keep(tree: string, entries: readonly TreeEntry[]): FileList;
}

/** No list is kept. */
export const noLists: FileLists = {
  get: () => null,
  put: () => undefined,
  latest: () => null,
  keep: (_tree, entries) => wholeList(entries),
};

export function wholeList(entries: readonly TreeEntry[]): FileList {
  return { base: null, changes: new Map(), entries };
}

/** Changed files keep their place in the list; new ones follow at its end. */
export function withChanges({ base, changes, entries }: FileList, more: ListChanges): FileList {
  if (more.size === 0) return { base, changes, entries };
  const added = new Map(more);
  const kept = entries.flatMap((entry) => {
    const change = more.get(entry.path);
    if (change === undefined) return [entry];
    added.delete(entry.path);
    return change === null ? [] : [change];
  });
  return {
    base,
    changes: base === null ? new Map() : new Map([...changes, ...more]),
    entries: [...kept, ...[...added.values()].filter(isEntry)],
  };
}

function isEntry(entry: TreeEntry | null): entry is TreeEntry {
  return entry !== null;
}

/**
 * Lists a tree that the repository keeps: the next lists can be differences from this one. @throws CollabError `range`
 */
export async function listCommitted(view: GitView, lists: FileLists, tree: string): Promise<FileList> {
  const list = await listFiles(view, lists, tree);
  if (list.base === null) return knowsSizes(list) ? lists.keep(tree, list.entries) : list;
  lists.put(tree, list);
  return list;
}

/** Lists a tree that may end with the view. @throws CollabError `range` */
export async function listFiles(view: GitView, lists: FileLists, tree: string): Promise<FileList> {
  const kept = lists.get(tree);
  if (kept !== null && knowsSizes(kept)) return kept;
  const near = lists.latest();
  const changed = near === null || !knowsSizes(near) ? null : await changedSince(view, near.base, tree);
  const list = near === null || changed === null ? null : await listChanged(view, near, { tree, changed });
  return list ?? wholeList(await listTree(view, tree));
}

export interface ChangedTree {
  readonly tree: string;
  /** The paths that differ from the other list; a rename is two. */
  readonly changed: readonly ChangedPath[];
}

/** Lists a tree by its differences from another list; null if there are too many. @throws CollabError `range` */
export async function listChanged(
  view: GitView,
  list: FileList,
  { tree, changed }: ChangedTree,
): Promise<FileList | null> {
  const paths = changed.filter(({ isGone }) => !isGone).map(({ path }) => path);
  if (changed.length + list.changes.size > mostChanges || paths.join('').length > mostCharacters) return null;
  // Two names that are not UTF-8 may look the same.
  if (changed.some(({ path }) => path.includes('\uFFFD'))) return null;
  const found = paths.length === 0 ? [] : await listTree(view, tree, paths);
  const byPath = new Map(found.map((entry) => [entry.path, entry]));
  if (!paths.every((path) => byPath.has(path))) return null;
  return withChanges(list, new Map(changed.map(({ path }) => [path, byPath.get(path) ?? null])));
}

/** With more, the whole tree is listed. */
const mostChanges = 1000;
/** All in one command line, which has room for them. */
const mostCharacters = 64 * 1024;

/** A file whose size is unknown was missing from the clone, and may be present now. */
function knowsSizes({ entries }: FileList): boolean {
  return entries.every(({ sizeBytes, kind }) => sizeBytes !== null || kind === 'submodule');
}

/** Returns null if the repository no longer has the other tree. */
async function changedSince(
  view: GitView,
  from: string | null,
  to: string,
): Promise<readonly ChangedPath[] | null> {
  if (from === null) return null;
  const result = await view.onObjects(['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to]);
  return result.exitCode === 0 ? parseRawDiff(result.stdout).changed : null;
}
