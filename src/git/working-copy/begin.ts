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
  await removeTree(place.folder);
  makeFolder(place.folder);
  const record = place.repository === null ? await beginWithoutGit(place) : await beginWithGit(place);
  writeCopyRecord(place.store.repository.gitDir, record);
  return record;
}

function beginWithGit(place: WorkingCopyPlace): Promise<CopyRecord> {
  return withCommits(place, async (view) => {
    const { commit, paths } = await takeBase(view);
    const copied = await copyPaths(place.root, place.folder, paths);
    const tree = await snapshotPaths(place.store, copied);
    await moveBranch(view, place.branch, commit, place.clock);
    return { branch: place.branch, remark: null, commits: [{ commit, tree }] };
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
