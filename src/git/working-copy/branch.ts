import { CollabError } from '../../errors/collab-error.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { removeTree } from '../../system/files/tree.ts';
import type { GitView } from '../repository/git-view.ts';
import { gitWords } from '../repository/run-git.ts';
import { treeOfCommit, updateIndex, writeTree } from '../repository/state-trees.ts';
import { commitTree, isAncestor, readBranch } from './commit.ts';
import { listChanges, type EntryChange } from './entries.ts';
import { toBytes } from './paths.ts';
import type { CommittedTree } from './record.ts';
import { writeEntries } from './write.ts';

export interface BranchCommit {
  readonly branch: string;
  readonly from: CommittedTree;
  readonly tree: string;
  readonly message: string;
}

/**
 * Creates a commit in the user's repository for a state of the folder; does not move the branch. The lead's own commits
 * stay in the history. `view` keeps its objects.
 * @throws CollabError `input`
 */
export async function commitForBranch(
  view: GitView,
  store: GitView,
  { branch, from, tree, message }: BranchCommit,
): Promise<string> {
  const stored = await asGitStores(view, store, from, tree);
  const tip = await readBranch(view, branch);
  const parent = tip !== null && (await isAncestor(view, from.commit, tip)) ? tip : from.commit;
  // An interrupted attempt, or the lead's own commit, holds it already.
  if (parent !== from.commit && (await treeOfCommit(view, parent)) === stored) return parent;
  return commitTree(view, { tree: stored, parents: [parent], message });
}

/**
 * Keeps the folder's files byte for byte; the repository may store other line endings (`autocrlf`, `text`). Only the
 * lead's changes pass through git's rules for `add`; all else stays as in the earlier commit: submodules, `.env*`, files
 * outside a sparse checkout.
 */
async function asGitStores(
  view: GitView,
  store: GitView,
  from: CommittedTree,
  tree: string,
): Promise<string> {
  const changes = await listChanges(store, from.tree, tree);
  const scratch = makeTemporaryFolder('collab-commit-');
  try {
    const read = await view.inWorkTree(['read-tree', from.commit]);
    if (read.exitCode !== 0) {
      throw new CollabError('input', `${from.commit} cannot be read: ${gitWords(read)}`);
    }
    await writeEntries(store, scratch, new Map(changes.flatMap(written)));
    const inScratch = within(view, scratch);
    await updateIndex(inScratch, ['--force-remove'], changes.filter(isGone).map(pathOf));
    await updateIndex(
      inScratch,
      ['--add', '--replace'],
      changes.filter((change) => !isGone(change)).map(pathOf),
    );
    return await writeTree(view);
  } finally {
    await removeTree(scratch);
  }
}

function within(view: GitView, folder: string): GitView {
  return {
    ...view,
    inWorkTree: (args, call = {}) =>
      view.inWorkTree(args, { ...call, variables: { ...call.variables, GIT_WORK_TREE: folder } }),
  };
}

function written({ path, after }: EntryChange) {
  return after === null ? [] : [[path, after] as const];
}

function isGone({ after }: EntryChange): boolean {
  return after === null;
}

function pathOf({ path }: EntryChange): Buffer {
  return toBytes(path);
}
