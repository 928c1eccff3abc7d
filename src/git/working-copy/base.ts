import type { GitView } from '../repository/git-view.ts';
import { resolveHead } from '../repository/resolve-commits.ts';
import { listPaths, stageWorkTree, treeOfCommit, updateIndex, writeTree } from '../repository/state-trees.ts';
import { commitTree } from './commit.ts';
import { listCopyEntries } from './entries.ts';
import { isKeptOut, toBytes, type BytePath } from './paths.ts';

export interface BaseState {
  readonly commit: string;
  /** The user's own commit; null if there is none yet. */
  readonly head: string | null;
  /** The paths on disk at the start of the lead's folder. */
  readonly paths: readonly BytePath[];
}

/**
 * Returns the user's working state as a commit: HEAD itself if nothing differs, otherwise a new commit on top of it, so
 * that a later comparison shows the lead's work alone. `.env*` stays as HEAD has it. The view keeps its objects.
 * @throws CollabError `input`, `range`
 */
export async function takeBase(view: GitView): Promise<BaseState> {
  const head = await resolveHead(view);
  const headTree = await treeOfCommit(view, head);
  await view.copyIndex();
  await stageWorkTree(view, isKeptOut);
  await keepOutStaged(view, headTree);
  const tree = await writeTree(view);
  const unchanged = head !== null && tree === headTree;
  const parents = head === null ? [] : [head];
  const commit = unchanged
    ? head
    : await commitTree(view, { tree, parents, message: 'The working tree as the run found it' });
  const entries = [...(await listCopyEntries(view, tree))];
  const paths = entries.filter(([path, { kind }]) => kind !== 'submodule' && !isKeptOut(toBytes(path)));
  return { commit, head, paths: paths.map(([path]) => path) };
}

/** We must not commit a secret that is staged but not committed. */
async function keepOutStaged(view: GitView, headTree: string): Promise<void> {
  const staged = (await listPaths(view, ['ls-files', '-z', '--cached'])).filter(isKeptOut);
  await updateIndex(view, ['--force-remove'], staged);
  const committed = [...(await listCopyEntries(view, headTree))].filter(([path]) => isKeptOut(toBytes(path)));
  if (committed.length === 0) return;
  const lines = committed.map(([path, { mode, blob }]) => `${mode} ${blob}\t${path}\0`);
  await view.inWorkTree(['update-index', '-z', '--index-info'], {
    input: Buffer.from(lines.join(''), 'latin1'),
  });
}

/** For the index that the user sees in the worktree: files that we leave out on purpose are not "deleted". */
export async function listKeptOut(view: GitView, commit: string): Promise<readonly Buffer[]> {
  const entries = await listCopyEntries(view, commit);
  return [...entries.keys()].map(toBytes).filter(isKeptOut);
}
