/** Creates commits and moves their branch. Starts no hook and asks for no signature: the view has no such setting. */
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { systemClock, type Clock } from '../../system/clock.ts';
import { realPlace } from '../../system/files/in-folder.ts';
import { remove } from '../../system/files/write.ts';
import type { GitView } from '../repository/git-view.ts';
import { gitWords, type GitResult } from '../repository/run-git.ts';

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Returns the id of the new commit. @throws CollabError `input` */
export async function commitTree(view: GitView, { tree, parents, message }: NewCommit): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  const result = await view.inWorkTree(args, { input: `${message.trimEnd()}\n`, variables: identity });
  if (result.exitCode !== 0) throw cannotCommit(result);
  return result.stdout.toString('utf8').trim();
}

const identity = {
  GIT_AUTHOR_NAME: 'collab',
  GIT_AUTHOR_EMAIL: 'collab@localhost',
  GIT_COMMITTER_NAME: 'collab',
  GIT_COMMITTER_EMAIL: 'collab@localhost',
};

/** Returns null when there is no such branch. */
export async function readBranch(view: GitView, branch: string): Promise<string | null> {
  const name = `refs/heads/${branch}^{commit}`;
  const result = await view.inWorkTree(['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
  return result.exitCode === 0 ? result.stdout.toString('utf8').trim() : null;
}

/** Returns true if `newer` contains all of `older`. */
export async function isAncestor(view: GitView, older: string, newer: string): Promise<boolean> {
  return (await view.inWorkTree(['merge-base', '--is-ancestor', older, newer])).exitCode === 0;
}

/**
 * Points the branch to the commit. Waits for another git that holds the branch's lock; a lock that stays was left by a
 * killed process, because the branch belongs to one run and the run to one process.
 * @throws CollabError `input`
 */
export async function moveBranch(
  view: GitView,
  branch: string,
  commit: string,
  clock: Clock = systemClock,
): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const move = () => view.inWorkTree(['update-ref', '--no-deref', ref, commit]);
  let result = await move();
  for (let tries = 1; isLocked(result) && tries < lockTries; tries += 1) {
    await clock.sleep(lockPauseMs);
    result = await move();
  }
  if (isLocked(result)) {
    remove(join(realPlace(view.repository.commonDir), `${ref}.lock`));
    result = await move();
  }
  if (result.exitCode === 0) return;
  throw new CollabError('input', `the branch ${branch} cannot be written: ${gitWords(result)}`, {
    hint: `If there is a branch named "${branch.split('/', 1)[0]}", rename it with git branch -m.`,
  });
}

/** Removes the branch if it still points to the commit; returns false otherwise. */
export async function removeBranch(view: GitView, branch: string, commit: string): Promise<boolean> {
  const args = ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, commit];
  return (await view.inWorkTree(args)).exitCode === 0;
}

/** Two seconds in total: git holds such a lock for some milliseconds. */
const lockTries = 20;
const lockPauseMs = 100;

function isLocked({ exitCode, stderr }: GitResult): boolean {
  return exitCode !== 0 && /\.lock'?: File exists/.test(stderr);
}

function cannotCommit(result: GitResult): CollabError {
  return new CollabError('input', `nothing can be committed: ${gitWords(result)}`, {
    hint: 'Check that the repository is writable and the disk has space.',
  });
}
