import { commitForBranch } from './branch.ts';
import { commitTree, moveBranch } from './commit.ts';
import { withCommits, type WorkingCopyPlace } from './place.ts';
import { headOf, writeCopyRecord, type CopyRecord } from './record.ts';
import { setWorktreeIndex } from './registration.ts';

/**
 * Returns the record with one more commit, or the same record if the tree equals the head's. After an interruption it is
 * repeated and finds the commit on the branch.
 * @throws CollabError `input`
 */
export async function commitState(
  place: WorkingCopyPlace,
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
    await moveBranch(view, branch, commit, clock);
    const { tree: _, ...kept } = record;
    const next = { ...kept, commits: [...record.commits, { commit, tree }] };
    writeCopyRecord(store.repository.gitDir, next);
    if (repository !== null) await setWorktreeIndex(view, runId, commit);
    return next;
  });
}
