import { makeFolder } from '../../system/files/in-folder.ts';
import { removeTree } from '../../system/files/tree.ts';
import { counted } from '../change/compare-states.ts';
import { takeBase } from './base.ts';
import { commitTree, moveBranch } from './commit.ts';
import { copyPaths } from './copy.ts';
import { withCommits, type WorkingCopyPlace } from './place.ts';
import type { BytePath } from './paths.ts';
import { listPlainFiles } from './plain.ts';
import { writeCopyRecord, type CopyRecord } from './record.ts';
import { snapshotPaths } from './states.ts';

/**
 * Copies the user's state. The record is written last: leftovers of an earlier, interrupted start are written again.
 * @throws CollabError `input`, `range`
 */
export async function beginCopy(place: WorkingCopyPlace): Promise<CopyRecord> {
  await removeTree(place.folder);
  makeFolder(place.folder);
  const copy = (paths: readonly BytePath[]) => copyPaths(place.root, place.folder, paths);
  const { record } = await takeState(place, { copy, movesBranch: true });
  writeCopyRecord(place.store.repository.gitDir, record);
  return record;
}

export interface TakenState {
  readonly record: CopyRecord;
  /** The user's own commit; null without git, and before the first commit. */
  readonly head: string | null;
}

/**
 * Takes the user's state into the store of a place whose folder is the user's own. Copies no file, and moves no branch of the
 * repository.
 * @throws CollabError `input`, `range`
 */
export function readState(place: WorkingCopyPlace): Promise<TakenState> {
  return takeState(place, { copy: (paths) => Promise.resolve(paths), movesBranch: false });
}

interface Taking {
  /** Brings these files of the user into the folder of the place; returns those that it found. */
  readonly copy: (paths: readonly BytePath[]) => Promise<readonly BytePath[]>;
  readonly movesBranch: boolean;
}

async function takeState(place: WorkingCopyPlace, taking: Taking): Promise<TakenState> {
  if (place.repository !== null) return takeWithGit(place, taking);
  return { record: await takeWithoutGit(place, taking), head: null };
}

function takeWithGit(place: WorkingCopyPlace, { copy, movesBranch }: Taking): Promise<TakenState> {
  return withCommits(place, async (view) => {
    const { commit, head, paths } = await takeBase(view);
    const tree = await snapshotPaths(place.store, await copy(paths));
    if (movesBranch) await moveBranch(view, place.branch, commit, place.clock);
    return { record: { branch: place.branch, remark: null, commits: [{ commit, tree }] }, head };
  });
}

async function takeWithoutGit(
  { root, store, branch, clock }: WorkingCopyPlace,
  { copy }: Taking,
): Promise<CopyRecord> {
  const { paths, tooLarge } = await listPlainFiles(root);
  const tree = await snapshotPaths(store, await copy(paths));
  const commit = await commitTree(store, { tree, parents: [], message: 'The folder as the run found it' });
  await moveBranch(store, branch, commit, clock);
  const remark = tooLarge === 0 ? null : `${counted(tooLarge, 'file', 'files')} above 1 MB left out`;
  return { branch: null, remark, commits: [{ commit, tree }] };
}
