/**
 * Where a lead edits: a copy of the user's working state in a folder of the run. With git it is a worktree of the user's
 * repository on the branch `collab/<run>`; without, a copy that only we know. The user's own files are not touched.
 */
import { rm } from 'node:fs/promises';
import { CollabError } from '../../errors/collab-error.ts';
import type { Clock } from '../../system/clock.ts';
import { findRepository } from '../repository/find-root.ts';
import { diffTrees, takeTrees, type TakenTrees } from '../change/resolve-change.ts';
import type { Environment } from '../repository/run-git.ts';
import { beginCopy } from './begin.ts';
import { commitState } from './progress.ts';
import { makeWhole, openPlace, storePath } from './place.ts';
import { headOf, readCopyRecord, type Committed } from './record.ts';
import { removeRegistration } from './registration.ts';
import { restoreFolder, snapshotFolder } from './states.ts';

export interface WorkingCopyOptions {
  /** The user's folder; with git the whole repository around it is copied. */
  readonly cwd: string;
  /** Where the lead is to work: outside every repository, in the run's private folder. */
  readonly folder: string;
  readonly runId: string;
  /** Keeps every state, also after `folder` is gone. */
  readonly runFolder: string;
  readonly env: Environment;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export interface WorkingCopy {
  /** The files as the user has them, tracked and new ones; without `.env*` and without what is ignored. */
  readonly folder: string;
  /** Top of the user's repository, or the user's folder. */
  readonly root: string;
  /** Null without git. */
  readonly branch: string | null;
  /** One phrase for the first line of the run: what the lead does not see; null for nothing worth saying. */
  readonly remark: string | null;
  /** The commit that holds the state at the start. */
  readonly base: string;
  /** The newest commit; `base` before the first. */
  head(): string;
  /** What `collab apply` needs to know. */
  edits(): Edits;
  /** The tree of the folder as it is: new files too, neither ignored ones nor `.env*`. */
  snapshot(): Promise<string>;
  /** The folder is exactly that state again; ignored files are gone as well. */
  restore(state: string): Promise<void>;
  /** Returns the new head; the old one where nothing changed. */
  commit(tree: string, message: string): Promise<string>;
  /** A unified diff between two states: trees or commits of this copy. */
  diff(from: string, to: string): Promise<string>;
  /** The same as a change to review, as one of the user's own repository is taken. */
  change(from: string, to: string): Promise<TakenTrees>;
  /** Removes the folder and its registration as a worktree; the branch and the states stay. */
  close(): Promise<void>;
}

export interface Edits {
  readonly root: string;
  readonly branch: string | null;
  readonly base: Committed;
  readonly head: Committed;
}

/**
 * Opens the copy of a run, or the same one again after any kind of end.
 * @throws CollabError `input`, `range`, `journal_corrupt`
 */
export async function openWorkingCopy(options: WorkingCopyOptions): Promise<WorkingCopy> {
  const kept = await readCopyRecord(storePath(options.runFolder));
  // A folder that has become a repository since goes on without.
  const repository = kept?.branch === null ? null : await findRepository(options.cwd);
  if (repository === null && typeof kept?.branch === 'string') throw lostRepository(options.cwd);
  const place = await openPlace(options, repository);
  let record = kept ?? (await beginCopy(place));
  await makeWhole(place, headOf(record));
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
    diff: (from, to) => diffTrees(place.store, treeOf(from), treeOf(to)),
    change: (from, to) => takeTrees(place.store, treeOf(from), treeOf(to)),
    async close() {
      await rm(place.folder, { recursive: true, force: true });
      if (repository !== null) await removeRegistration(repository, options.runId);
    },
  };
}

function lostRepository(cwd: string): CollabError {
  return new CollabError('input', `${cwd} is in no git repository any more, but its run began in one`, {
    hint: 'Put the repository back, or start a new run.',
  });
}
