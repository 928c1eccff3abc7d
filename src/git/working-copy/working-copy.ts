/**
 * The lead's working copy: the user's working state, copied into a folder of the run. With git it is a worktree of the
 * user's repository on the branch `collab/<run>`; without, a private copy. The user's own files are not
 * touched.
 */
import { CollabError } from '../../errors/collab-error.ts';
import type { Clock } from '../../system/clock.ts';
import { realPlace } from '../../system/files/in-folder.ts';
import { removeTree } from '../../system/files/tree.ts';
import { findRepository } from '../repository/find-root.ts';
import { diffTrees } from '../change/diff-trees.ts';
import { takeTrees, type TakenTrees, type TreesOptions } from '../change/resolve-change.ts';
import type { GitEnvironment } from '../repository/run-git.ts';
import { beginCopy } from './begin.ts';
import { packNew } from './pack.ts';
import { commitState } from './progress.ts';
import { makeWhole, openPlace, storePath } from './place.ts';
import { headOf, readCopyRecord, type CommittedTree } from './record.ts';
import { removeRegistration } from './registration.ts';
import { restoreFolder, snapshotFolder } from './states.ts';

export interface WorkingCopyOptions {
  /** The user's folder; with git the whole repository around it is copied. */
  readonly cwd: string;
  /** The lead's work folder: outside every repository, in the run's private folder. */
  readonly folder: string;
  readonly runId: string;
  /** Keeps every state, even after `folder` is removed. */
  readonly runFolder: string;
  readonly env: GitEnvironment;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export interface WorkingCopy {
  /** The user's files, tracked and new ones; without `.env*` and ignored files. */
  readonly folder: string;
  /** Top of the user's repository, or the user's folder. */
  readonly root: string;
  /** Is null without git. */
  readonly branch: string | null;
  /**
   * One phrase for the first lines of the run about files that the lead does not see; null if there is nothing to report.
   */
  readonly remark: string | null;
  /** The commit that holds the state at the start. */
  readonly base: string;
  /** The newest commit; `base` before the first. */
  head(): string;
  /** The data that `collab apply` needs. */
  edits(): Edits;
  /** Returns the tree of the current folder: with new files, without ignored ones and `.env*`. */
  snapshot(): Promise<string>;
  /** Restores the folder to exactly that state; also removes ignored files. */
  restore(state: string): Promise<void>;
  /** Returns the new head, or the old one if nothing changed. */
  commit(tree: string, message: string): Promise<string>;
  /** Returns a unified diff between two states: trees or commits of this copy. */
  diff(from: string, to: string): Promise<string>;
  /** Returns the same as a change to review, as for a change in the user's own repository. */
  change(from: string, to: string, options?: TreesOptions): Promise<TakenTrees>;
  /**
   * Returns the new objects of the newest commit, or of a later tree, as a pack of git for another machine; null if they are too
   * large for it.
   */
  pack(state: string): Promise<Buffer | null>;
  /** Removes the folder and its registration as a worktree; the branch and the states stay. */
  close(): Promise<void>;
}

export interface Edits {
  readonly root: string;
  readonly branch: string | null;
  readonly base: CommittedTree;
  readonly head: CommittedTree;
}

/** Opens a run's copy, or reopens it after any kind of end. @throws CollabError `input`, `range`, `journal_corrupt` */
export async function openWorkingCopy(options: WorkingCopyOptions): Promise<WorkingCopy> {
  const kept = readCopyRecord(storePath(realPlace(options.runFolder)));
  // A folder that has become a repository in the meantime continues without git.
  const repository = kept?.branch === null ? null : await findRepository(options.cwd);
  if (repository === null && typeof kept?.branch === 'string') throw lostRepository(options.cwd);
  const place = await openPlace(options, repository);
  let record = kept ?? (await beginCopy(place));
  const { tree: last = headOf(record).tree } = record;
  await makeWhole(place, { ...headOf(record), tree: last });
  const treeOf = (state: string): string =>
    record.commits.find(({ commit }) => commit === state)?.tree ?? state;
  const base = record.commits[0] ?? headOf(record);
  const { branch, remark } = record;
  return {
    folder: place.folder,
    root: place.root,
    branch,
    remark,
    base: base.commit,
    head: () => headOf(record).commit,
    edits: () => ({ root: place.root, branch, base, head: headOf(record) }),
    snapshot: () => snapshotFolder(place.store, headOf(record).tree),
    restore: (state) => restoreFolder(place.store, treeOf(state)),
    async commit(tree, message) {
      record = await commitState(place, record, tree, message);
      return headOf(record).commit;
    },
    diff: async (from, to) => (await diffTrees(place.store, treeOf(from), treeOf(to))).text,
    change: (from, to, more) => takeTrees(place.store, treeOf(from), treeOf(to), more),
    pack: (state) => packNew(place.store, record, state),
    async close() {
      await removeTree(place.folder);
      if (repository !== null) await removeRegistration(repository, options.runId);
    },
  };
}

function lostRepository(cwd: string): CollabError {
  return new CollabError('input', `${cwd} is no longer in a git repository, but its run started in one`, {
    hint: 'Restore the repository, or start a new run.',
  });
}
