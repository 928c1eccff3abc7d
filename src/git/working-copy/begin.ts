import { makeFolder } from '../../system/files/in-folder.ts';
import { removeTree } from '../../system/files/tree.ts';
import { counted } from '../change/compare-states.ts';
import { takeBase } from './base.ts';
import { commitTree, moveBranch } from './commit.ts';
import { copyPaths } from './copy.ts';
import { withCommits, type WorkingCopyPlace } from './place.ts';
import { listPlainFiles } from './plain.ts';
import { writeCopyRecord, type CopyRecord } from './record.ts';
import { snapshotPaths } from './states.ts';

/**
 * Copies the user's state. The record is written last: leftovers of an earlier, interrupted start are written again.
 * @throws CollabError `input`, `range`
 */
export async function beginCopy(place: WorkingCopyPlace): Promise<CopyRecord> {
  const { record } = await takeState(place, { movesBranch: true });
  writeCopyRecord(place.store.repository.gitDir, record);
  return record;
}

export interface TakenState {
  readonly record: CopyRecord;
  /** The user's own commit; null without git, and before the first commit. */
  readonly head: string | null;
}

/** Copies the user's state into the folder and the store. @throws CollabError `input`, `range` */
export async function takeState(
  place: WorkingCopyPlace,
  options: { readonly movesBranch: boolean },
): Promise<TakenState> {
  await removeTree(place.folder);
  makeFolder(place.folder);
  if (place.repository !== null) return takeWithGit(place, options);
  return { record: await beginWithoutGit(place), head: null };
}

function takeWithGit(
  place: WorkingCopyPlace,
  { movesBranch }: { readonly movesBranch: boolean },
): Promise<TakenState> {
  return withCommits(place, async (view) => {
    const { commit, head, paths } = await takeBase(view);
    const copied = await copyPaths(place.root, place.folder, paths);
    const tree = await snapshotPaths(place.store, copied);
    if (movesBranch) await moveBranch(view, place.branch, commit, place.clock);
    return { record: { branch: place.branch, remark: null, commits: [{ commit, tree }] }, head };
  });
}

async function beginWithoutGit({
  root,
  folder,
  store,
  branch,
  clock,
}: WorkingCopyPlace): Promise<CopyRecord> {
  const { paths, tooLarge } = await listPlainFiles(root);
  const copied = await copyPaths(root, folder, paths);
  const tree = await snapshotPaths(store, copied);
  const commit = await commitTree(store, { tree, parents: [], message: 'The folder as the run found it' });
  await moveBranch(store, branch, commit, clock);
  const remark = tooLarge === 0 ? null : `${counted(tooLarge, 'file', 'files')} above 1 MB left out`;
  return { branch: null, remark, commits: [{ commit, tree }] };
}
