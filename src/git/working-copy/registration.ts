/**
 * Registers the folder as a worktree of the user's repository, for `git worktree list`, `git log` and `git status`.
 * Writes the entry as gitrepository-layout(5) describes it: `git worktree add` would run filters, hooks and a checkout.
 */
import { lstat, mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isFile, type Repository } from '../repository/find-root.ts';
import type { GitView } from '../repository/git-view.ts';
import { updateIndex } from '../repository/state-trees.ts';
import { listKeptOut } from './base.ts';
import { isLink, refuseLink, writeWhole } from '../repository/write-whole.ts';

export interface Registration {
  readonly repository: Repository;
  readonly runId: string;
  readonly folder: string;
  readonly branch: string;
}

/** Writes or repairs the entry. @throws CollabError `input` */
export async function registerWorktree({ repository, runId, folder, branch }: Registration): Promise<void> {
  const entry = entryOf(repository, runId);
  await refuseLink(join(repository.commonDir, 'worktrees'));
  await refuseLink(entry);
  await mkdir(entry, { recursive: true });
  await writeWhole(join(entry, 'commondir'), '../..\n');
  await writeWhole(join(entry, 'gitdir'), `${join(folder, '.git')}\n`);
  if (!(await isFile(join(entry, 'HEAD')))) {
    await writeWhole(join(entry, 'HEAD'), `ref: refs/heads/${branch}\n`);
  }
  await rm(join(folder, '.git'), { recursive: true, force: true });
  await writeWhole(join(folder, '.git'), `gitdir: ${entry}\n`);
}

/** Sets the worktree's index to the commit, so that its `git status` shows later changes. */
export async function setWorktreeIndex(view: GitView, runId: string, commit: string): Promise<void> {
  const index = join(entryOf(view.repository, runId), 'index');
  await rm(`${index}.lock`, { force: true });
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
  const worktrees = join(repository.commonDir, 'worktrees');
  const entry = entryOf(repository, runId);
  const found = await lstat(entry).catch(() => null);
  if (found === null || (await isLink(worktrees))) return false;
  await rm(entry, { recursive: true, force: true });
  // Git also removes the folder with its last entry; while there are others, this fails, as intended.
  await rmdir(worktrees).catch(() => {});
  return true;
}

/** Reads files only: starts no git. */
export async function hasBranch({ commonDir }: Repository, branch: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  if (await isFile(join(commonDir, ref))) return true;
  const packed = join(commonDir, 'packed-refs');
  return (
    (await isFile(packed)) &&
    (await readFile(packed, 'utf8')).split('\n').some((line) => line.endsWith(` ${ref}`))
  );
}

function entryOf({ commonDir }: Repository, runId: string): string {
  return join(commonDir, 'worktrees', `collab-${runId}`);
}
