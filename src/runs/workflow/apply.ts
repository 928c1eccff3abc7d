/** Applies a run's edits to the user's own tree. */
import { existsSync, realpathSync } from 'node:fs';
import { CollabError } from '../../errors/collab-error.ts';
import { applyChange, type ApplyOutcome } from '../../git/apply/apply-change.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import { diffTrees } from '../../git/change/diff-trees.ts';
import { openGitView, type GitView } from '../../git/repository/git-view.ts';
import { storePath } from '../../git/working-copy/place.ts';
import { dropBranchOf, readEdits } from './edits.ts';
import type { RunFolder } from '../folder/run-folder.ts';

export interface ApplyRunOptions {
  readonly run: RunFolder;
  /** The user's folder: the edits must belong to it or to the repository around it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

export type ApplyRunOutcome =
  | { readonly kind: 'nothing' }
  | (ApplyOutcome & {
      readonly root: string;
      /** The branch that still has the commits; null if there is none. */
      readonly branch: string | null;
    });

/**
 * Needs neither the lead's folder nor a live run: the states are in the run folder and in the repository. Removes the
 * branch of the run afterwards. @throws CollabError `input`, `journal_corrupt`, `cancelled`
 */
export async function applyRun(options: ApplyRunOptions): Promise<ApplyRunOutcome> {
  const { run, cwd, env, signal } = options;
  const edits = readEdits(run.path);
  if (edits === null || edits.base.tree === edits.head.tree) return { kind: 'nothing' };
  const { root, branch, base, head } = edits;
  refuseLost(run, root);
  await refuseElsewhere(run, root, cwd);
  const calls = { env, ...(signal === undefined ? {} : { signal }) };
  const outcome = await withStore(options, root, (store) =>
    applyChange({ ...calls, store, root, from: base.tree, to: head.tree }),
  );
  if (outcome.kind === 'refused') return { ...outcome, root, branch };
  return { ...outcome, root, branch: await dropBranchOf(run, calls) };
}

/** Returns the edits as a unified diff; null if there are none. @throws CollabError `input`, `journal_corrupt` */
export async function readPatch(options: Omit<ApplyRunOptions, 'cwd'>): Promise<string | null> {
  const edits = readEdits(options.run.path);
  if (edits === null || edits.base.tree === edits.head.tree) return null;
  const { root, base, head } = edits;
  refuseLost(options.run, root);
  const { text } = await withStore(options, root, (store) => diffTrees(store, base.tree, head.tree));
  return text;
}

async function withStore<Value>(
  { run, env, signal }: Omit<ApplyRunOptions, 'cwd'>,
  root: string,
  use: (store: GitView) => Promise<Value>,
): Promise<Value> {
  const calls = { env, ...(signal === undefined ? {} : { signal }) };
  // The run folder may come from another person: git reads the objects in it, and none of its settings.
  const path = storePath(run.path);
  const store = await openGitView({ root, gitDir: path, commonDir: path }, calls);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

function refuseLost({ path }: RunFolder, root: string): void {
  const [lost] = [root, storePath(path)].filter((folder) => !existsSync(folder));
  if (lost === undefined) return;
  throw new CollabError('input', `${lost} no longer exists, but the edits belong to it`, {
    details: { folder: lost },
  });
}

/** Writes only to the tree that contains the user's folder, whatever the record names. */
async function refuseElsewhere({ runId }: RunFolder, root: string, cwd: string): Promise<void> {
  const around = (await findRepository(cwd))?.root ?? cwd;
  if ([cwd, around].map((folder) => realpathSync(folder)).includes(realpathSync(root))) return;
  throw new CollabError('input', `${runId} edited ${root}, not the current folder`, {
    hint: `Go there first: cd ${JSON.stringify(root)}`,
    details: { root },
  });
}
