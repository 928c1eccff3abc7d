/**
 * Applies the difference of two states to the user's own tree. All paths are checked before the first one is written; a
 * path that differs from the first state stops the whole apply. The index, HEAD and the branches are not touched.
 */
import { CollabError } from '../../errors/collab-error.ts';
import { realPlace } from '../../system/files/in-folder.ts';
import type { GitView } from '../repository/git-view.ts';
import { judgePath, leavingPaths, planApply, type Obstacle } from './apply-plan.ts';
import { removePath, writePath } from './apply-write.ts';
import { readEachBlob } from '../working-copy/blobs.ts';
import { listChanges, type EntryChange } from '../working-copy/entries.ts';
import { toText } from '../working-copy/paths.ts';

export interface ApplyOptions {
  /** Holds both states. */
  readonly store: GitView;
  readonly root: string;
  readonly from: string;
  readonly to: string;
  readonly signal?: AbortSignal;
}

export interface AppliedPath {
  readonly path: string;
  readonly action: 'added' | 'changed' | 'deleted';
  /** The files already were as the run left them. */
  readonly already: boolean;
}

export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly paths: readonly AppliedPath[] }
  /** Nothing was changed. */
  | {
      readonly kind: 'refused';
      readonly obstacles: readonly { readonly path: string; readonly reason: string }[];
    };

/**
 * Can be repeated after any interruption: files that are already in place count as done.
 * @throws CollabError `input` when a file changes during the write, `cancelled` when the signal aborts
 */
export async function applyChange(options: ApplyOptions): Promise<ApplyOutcome> {
  const { store, from, to } = options;
  const root = realPlace(options.root);
  const changes = await listChanges(store, from, to);
  const { todo, done, obstacles } = await planApply(root, changes);
  if (obstacles.length > 0) return { kind: 'refused', obstacles: obstacles.map(describeObstacle) };
  await writeAll({ ...options, root }, todo);
  const unneeded = new Set(done);
  return { kind: 'applied', paths: changes.map((change) => describePath(change, unneeded.has(change))) };
}

/** Removals come first: they make room when a folder replaces a file, or a file replaces a folder. */
async function writeAll({ root, store, signal }: ApplyOptions, todo: readonly EntryChange[]): Promise<void> {
  const leaving = leavingPaths(todo);
  const isStillTodo = async (change: EntryChange): Promise<boolean> => {
    if (signal?.aborted === true) throw stopped();
    const verdict = await judgePath(root, change, leaving);
    if (typeof verdict === 'object') throw changedMeanwhile(toText(change.path), verdict.reason);
    return verdict === 'todo';
  };
  for (const change of todo) {
    if (change.after === null && (await isStillTodo(change))) removePath(root, change.path);
  }
  const written = todo.flatMap(({ after, ...change }) => (after === null ? [] : [{ ...change, after }]));
  for await (const [change, content] of readEachBlob(store, written, ({ after }) => after.blob)) {
    if (await isStillTodo(change)) await writePath(root, { ...change, content });
  }
}

function stopped(): CollabError {
  return new CollabError('cancelled', 'stopped before all paths were written', { hint: applyAgain });
}

/** The user's editor may write at the same time. */
function changedMeanwhile(path: string, reason: string): CollabError {
  return new CollabError('input', `${path} ${reason}, just now; not all paths were written`, {
    hint: applyAgain,
  });
}

const applyAgain = 'Run collab apply again to continue.';

function describeObstacle({ path, reason }: Obstacle) {
  return { path: toText(path), reason };
}

function describePath({ path, before, after }: EntryChange, already: boolean): AppliedPath {
  const action = before === null ? 'added' : after === null ? 'deleted' : 'changed';
  return { path: toText(path), action, already };
}
