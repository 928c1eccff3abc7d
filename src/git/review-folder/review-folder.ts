import { wholeList, type FileList } from '../repository/file-list.ts';
import { requireRepository } from '../repository/find-root.ts';
import { openGitView, type PrivateView, type OpenViewOptions } from '../repository/git-view.ts';
import { takeSnapshot, type Snapshot } from '../repository/snapshot.ts';
import { findTree, type TreeState } from '../repository/state-trees.ts';
import { claimKept, fillFolder } from '../store/kept-folder.ts';
import { openRepositoryStore, type RepositoryStore } from '../store/store.ts';
import { readFirst } from './keep-snapshot.ts';
import { planFolder, type FolderPlan, type LeftOut } from './plan-folder.ts';

export interface ReviewFolderOptions extends OpenViewOptions {
  /** The repository, or a folder in it. */
  readonly root: string;
  readonly state: TreeState;
  /** The tree of the state when the change was read; null to read the current state. */
  readonly tree: string | null;
  /** The folder to fill: its files are those of `filesIn`. */
  readonly into: string;
  /** The folder of all private folders, which holds the stores. */
  readonly base: string;
  readonly changedPaths: readonly string[];
  /** The other files are copied once this settles. Default: immediately. */
  readonly rest?: Promise<void>;
}

export interface ReviewFolder {
  /** The copied state. */
  readonly tree: string;
  readonly remark: string | null;
  /** Settles when all files are there. */
  readonly whole: Promise<WholeFolder>;
}

export interface WholeFolder {
  /** Number of files. */
  readonly files: number;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Fills a folder with the files under review for the advisor: from blobs, so that no filter, hook or checkout runs; without
 * `.git` and `.env*`; symbolic links as text that names their target. Resolves when the changed files and those beside them
 * are there; the caller awaits `whole`.
 * @throws CollabError `input`, `range`, `file`
 */
export async function fillReviewFolder(options: ReviewFolderOptions): Promise<ReviewFolder> {
  const { signal, ...unstopped } = options;
  // An abort takes effect between two batches: git is not stopped during one.
  const { store, view, close } = await openFiles(unstopped);
  try {
    const { tree, files, read } = await findFiles(store, view, options);
    const plan = planFolder(files.entries, options.changedPaths);
    claimKept(store, options.into);
    const { begun, whole } = fillFolder(store, {
      folder: options.into,
      files: planned(files, plan),
      first: () => readFirst(plan.entries, options.changedPaths),
      read,
      rest: options.rest,
      signal,
    });
    const finish = async (): Promise<WholeFolder> => {
      try {
        const unplaced = await whole;
        return {
          files: plan.entries.length - unplaced.length,
          leftOut: [...plan.leftOut, ...unplaced],
        };
      } finally {
        await close();
      }
    };
    const closed = finish();
    closed.catch(() => undefined);
    await begun;
    return { tree, remark: plan.remark, whole: closed };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface OpenFiles {
  readonly store: RepositoryStore;
  readonly view: () => Promise<PrivateView>;
  readonly close: () => Promise<void>;
}

/** Opens the store of a repository; its git is opened when it is first needed. @throws CollabError `input` */
export async function openFiles(
  options: Pick<ReviewFolderOptions, 'root' | 'base'> & OpenViewOptions,
): Promise<OpenFiles> {
  const repository = await requireRepository(options.root);
  const store = openRepositoryStore(options.base, repository);
  let opened: Promise<PrivateView> | null = null;
  return {
    store,
    view: () => (opened ??= openGitView(repository, options)),
    async close() {
      store.close();
      await (await opened?.catch(() => null))?.close();
    },
  };
}

/** A folder that is limited to packages leaves most files out. */
function planned(files: FileList, { entries, leftOut, remark }: FolderPlan): FileList {
  if (files.base === null || remark !== null || leftOut.length > mostLeftOut) return wholeList(entries);
  const changes = new Map([...files.changes, ...leftOut.map(({ path }) => [path, null] as const)]);
  return { base: files.base, changes, entries };
}

const mostLeftOut = 1000;

export interface FoundFiles extends Pick<Snapshot, 'tree' | 'read'> {
  readonly files: FileList;
}

/** Git is started only for what the store does not have. */
export async function findFiles(
  store: RepositoryStore,
  view: () => Promise<PrivateView>,
  { tree, state }: Pick<ReviewFolderOptions, 'tree' | 'state'>,
): Promise<FoundFiles> {
  const kept = tree === null ? null : store.trees.get(tree);
  if (tree !== null && kept !== null) return { tree, files: kept, read: readerOf(view, state) };
  const opened = await view();
  const snapshot =
    (tree === null ? null : await ifListed(takeSnapshot(opened, store.trees, tree))) ??
    takeSnapshot(opened, store.trees, await findTree(opened, state));
  const files = await snapshot.files;
  store.trees.put(snapshot.tree, files);
  return { ...snapshot, files };
}

/** Reads uncommitted files, which only the store had before it was cleaned, from the present state if they are unchanged. */
function readerOf(view: () => Promise<PrivateView>, state: TreeState): Snapshot['read'] {
  let staged: Promise<unknown> | null = null;
  return async (blobs) => {
    const { objects } = await view();
    const found = await objects.blobs(blobs);
    if (found.every((content) => content !== null)) return found;
    staged ??= findTree(await view(), state).catch(() => null);
    await staged;
    return objects.blobs(blobs);
  };
}

/** The tree of a working tree exists only in the store, which may have been cleaned. */
async function ifListed(snapshot: Snapshot): Promise<Snapshot | null> {
  return snapshot.files.then(
    () => snapshot,
    () => null,
  );
}
