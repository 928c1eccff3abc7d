/**
 * Registers the folder as a worktree of the user's repository, for `git worktree list`, `git log` and `git status`.
 * Writes the entry as gitrepository-layout(5) describes it: `git worktree add` would run filters, hooks and a checkout.
 */
import { dirname, join } from 'node:path';
import { lookAt } from '../../system/files/fault.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { namesIn, readIfPossible, readNamedIfThere } from '../../system/files/read.ts';
import { removeEmptyFolder, removeTree } from '../../system/files/tree.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import { isFile, type Repository } from '../repository/find-root.ts';
import type { GitView } from '../repository/git-view.ts';
import { updateIndex } from '../repository/state-trees.ts';
import { listKeptOut } from './base.ts';
import type { WorkingCopyPlace } from './place.ts';

export interface Registration extends Pick<WorkingCopyPlace, 'runId' | 'folder' | 'branch'> {
  readonly repository: Repository;
}

/** Writes or repairs the entry. @throws CollabError `input` */
export async function registerWorktree({ repository, runId, folder, branch }: Registration): Promise<void> {
  const entry = entryOf(repository, runId);
  makeFolder(entry, { mode: 0o777 });
  writeAtomically(join(entry, 'commondir'), '../..\n', asUsers);
  writeAtomically(join(entry, 'gitdir'), `${join(folder, '.git')}\n`, asUsers);
  if (!(await isFile(join(entry, 'HEAD')))) {
    writeAtomically(join(entry, 'HEAD'), `ref: refs/heads/${branch}\n`, asUsers);
  }
  await removeTree(join(folder, '.git'));
  writeAtomically(join(folder, '.git'), `gitdir: ${entry}\n`, asUsers);
}

const asUsers = { shared: true, synced: false };

/** Sets the worktree's index to the commit, so that its `git status` shows later changes. */
export async function setWorktreeIndex(view: GitView, runId: string, commit: string): Promise<void> {
  const index = join(entryOf(view.repository, runId), 'index');
  remove(`${index}.lock`);
  const variables = { GIT_INDEX_FILE: index };
  await view.inWorkTree(['read-tree', commit], { variables });
  const withIndex: GitView = {
    ...view,
    inWorkTree: (args, call = {}) => view.inWorkTree(args, { ...call, variables }),
  };
  await updateIndex(withIndex, ['--skip-worktree'], await listKeptOut(view, commit));
}

/** Returns false if there was no entry. The branch stays. */
export async function removeRegistration(repository: Repository, runId: string): Promise<boolean> {
  const entry = entryOf(repository, runId);
  const worktrees = dirname(entry);
  if (lookAt(entry) === null || lookAt(worktrees)?.isDirectory() !== true) return false;
  await removeTree(entry);
  try {
    // Git also removes the folder with its last entry.
    removeEmptyFolder(worktrees);
  } catch {
    // There are others.
  }
  return true;
}

/** Reads files only: starts no git. */
export async function hasBranch({ commonDir }: Repository, branch: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  if (await isFile(join(commonDir, ref))) return true;
  const packed = readNamedIfThere(join(commonDir, 'packed-refs'))?.toString('utf8') ?? '';
  return packed.split('\n').some((line) => line.endsWith(` ${ref}`));
}

/** Returns true if the user has the branch checked out: in the repository or in a worktree that is not the run's. */
export function isCheckedOut({ commonDir }: Repository, branch: string, runId: string): boolean {
  const worktrees = join(commonDir, 'worktrees');
  const others = lookAt(worktrees)?.isDirectory() === true ? namesIn(worktrees) : [];
  const folders = others.filter((name) => name !== entryName(runId)).map((name) => join(worktrees, name));
  return [commonDir, ...folders].some(
    (folder) => readIfPossible(join(folder, 'HEAD'))?.trim() === `ref: refs/heads/${branch}`,
  );
}

function entryOf({ commonDir }: Repository, runId: string): string {
  return join(realPlace(commonDir), 'worktrees', entryName(runId));
}

function entryName(runId: string): string {
  return `collab-${runId}`;
}
