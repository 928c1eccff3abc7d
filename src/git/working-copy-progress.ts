/** A working copy from one commit to the next. The record is written before and after the branch moves. */
import { commitForBranch } from './working-copy-branch.ts';
import { commitTree, moveBranch, readBranch } from './working-copy-commit.ts';
import { withCommits, type Place } from './working-copy-place.ts';
import { headOf, writeCopyRecord, type CopyRecord } from './working-copy-record.ts';
import { setWorktreeIndex } from './working-copy-registration.ts';

/** The record with one more commit; the same record where the tree is the head's. @throws CollabError `input` */
export async function commitState(
  place: Place,
  record: CopyRecord,
  tree: string,
  message: string,
): Promise<CopyRecord> {
  const from = headOf(record);
  if (tree === from.tree) return record;
  return withCommits(place, async (view) => {
    const { store, repository, branch, runId, clock } = place;
    const commit =
      repository === null
        ? await commitTree(store, { tree, parents: [from.commit], message })
        : await commitForBranch(view, store, { branch, from, tree, message });
    const pending = { commit, tree };
    const path = store.repository.gitDir;
    await writeCopyRecord(path, { ...record, pending });
    await moveBranch(view, branch, commit, clock);
    const next = { ...record, commits: [...record.commits, pending] };
    await writeCopyRecord(path, next);
    if (repository !== null) await setWorktreeIndex(view, runId, commit);
    return next;
  });
}

/** After an interruption: was the branch moved or not? */
export async function settlePending(place: Place, record: CopyRecord): Promise<CopyRecord> {
  const { pending, commits } = record;
  if (pending === null) return record;
  const tip = await withCommits(place, (view) => readBranch(view, place.branch));
  const settled = {
    ...record,
    commits: tip === pending.commit ? [...commits, pending] : commits,
    pending: null,
  };
  await writeCopyRecord(place.store.repository.gitDir, settled);
  return settled;
}
