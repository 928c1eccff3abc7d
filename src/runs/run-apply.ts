/** A run's edits → the user's own tree. */
import { existsSync } from 'node:fs';
import { CollabError } from '../errors/collab-error.ts';
import { applyChange, type ApplyOutcome } from '../git/apply-change.ts';
import { findRepository } from '../git/find-root.ts';
import { openStore } from '../git/working-copy-store.ts';
import { storePath } from '../git/working-copy-place.ts';
import { readEdits, type EditedRun, type RunEdits } from './run-edits.ts';

export interface ApplyRunOptions {
  readonly run: EditedRun;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

export type ApplyRunOutcome =
  | { readonly kind: 'nothing' }
  | (ApplyOutcome & { readonly root: string; readonly branch: string | null });

/**
 * Needs neither the lead's folder nor a live run: the states lie in the run folder and in the repository.
 * @throws CollabError `input`, `journal_corrupt`, `cancelled`
 */
export async function applyRun({ run, env, signal }: ApplyRunOptions): Promise<ApplyRunOutcome> {
  const edits = readEdits(run.path);
  if (edits === null || edits.base.tree === edits.head.tree) return { kind: 'nothing' };
  refuseLost(run, edits);
  const { root, branch, base, head } = edits;
  const calls = { env, ...(signal === undefined ? {} : { signal }) };
  const repository = await findRepository(root);
  const store = await openStore({
    ...calls,
    path: storePath(run.path),
    folder: root,
    repository,
  });
  const outcome = await applyChange({ ...calls, store, root, from: base.tree, to: head.tree });
  return { ...outcome, root, branch };
}

function refuseLost({ path }: EditedRun, { root }: RunEdits): void {
  const [lost] = [root, storePath(path)].filter((folder) => !existsSync(folder));
  if (lost === undefined) return;
  throw new CollabError('input', `${lost} is not there any more; the edits belong to it`, {
    details: { folder: lost },
  });
}
