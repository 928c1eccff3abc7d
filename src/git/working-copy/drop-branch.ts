/** Removes the branch of a run from the user's repository, once the run no longer needs it. */
import { join } from 'node:path';
import { hasCode } from '../../errors/has-code.ts';
import { realPlace } from '../../system/files/in-folder.ts';
import { readNamedIfThere } from '../../system/files/read.ts';
import { createFile } from '../../system/files/tree.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import { findRepository, type Repository } from '../repository/find-root.ts';
import { openGitView, type OpenViewOptions } from '../repository/git-view.ts';
import { readBranch, removeBranch } from './commit.ts';
import { storePath } from './place.ts';
import { readCopyRecord } from './record.ts';
import { hasBranch, isCheckedOut } from './registration.ts';

export interface DroppedBranch extends Pick<OpenViewOptions, 'env' | 'signal'> {
  readonly root: string;
  readonly branch: string;
  readonly runId: string;
  readonly runFolder: string;
}

/**
 * Keeps a branch with commits that are not the run's, and one that the user has checked out. Returns false if the branch
 * stays.
 */
export async function dropBranch(options: DroppedBranch): Promise<boolean> {
  const { root, branch, runId, runFolder, env, signal } = options;
  const repository = await findRepository(root);
  if (repository === null || !(await hasBranch(repository, branch))) return true;
  if (isCheckedOut(repository, branch, runId)) return false;
  const own = readCopyRecord(storePath(runFolder))?.commits ?? [];
  const view = await openGitView(repository, { env, ...(signal === undefined ? {} : { signal }) });
  try {
    const tip = await readBranch(view, branch);
    if (tip === null || !own.some(({ commit }) => commit === tip)) return false;
    return unpackRef(repository, `refs/heads/${branch}`) && (await removeBranch(view, branch, tip));
  } finally {
    await view.close();
  }
}

/**
 * Removes the branch from `packed-refs`, of which a view has only a copy, under the lock that git uses. Returns false if
 * another process holds it.
 */
function unpackRef({ commonDir }: Repository, ref: string): boolean {
  const file = join(realPlace(commonDir), 'packed-refs');
  const packed = readNamedIfThere(file)?.toString('latin1') ?? '';
  if (!packed.includes(` ${ref}\n`)) return true;
  const lock = `${file}.lock`;
  try {
    createFile(lock, '', 0o644);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    const lines = (readNamedIfThere(file)?.toString('latin1') ?? '').split('\n');
    const kept = lines.filter((line) => !line.endsWith(` ${ref}`));
    writeAtomically(file, Buffer.from(kept.join('\n'), 'latin1'), { shared: true });
    return true;
  } finally {
    remove(lock);
  }
}
