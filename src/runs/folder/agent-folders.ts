/** The folders of a run's agents: a private one for their state, and a copy of the files under review. */
import { dirname, join } from 'node:path';
import { fillReviewFolder } from '../../git/review-folder/review-folder.ts';
import { giveBack } from '../../git/store/kept-folder.ts';
import { pruneDaily } from '../../git/store/prune.ts';
import { Deferred } from '../../system/deferred.ts';
import { lookAt } from '../../system/files/fault.ts';
import { readIfThere } from '../../system/files/read.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import { sha256 } from '../../text/digest.ts';
import { once } from '../once.ts';
import { recordRun, removeDeadCopies } from './dead-copies.ts';
import { withStore } from './repository-store.ts';
import type { RunInput } from './run-input.ts';
import { keptFolderIn, openStateFolder, removeStateFolder, reviewFolderIn } from './state-folder.ts';
import type { DriveFolderOptions } from '../drive-options.ts';

export interface AgentFolders extends FillingCopy {
  readonly state: string;
  /** The copy of the files under review; null if no agent reads files. */
  readonly review: string | null;
  /**
   * Copies the files under review, once: resolves with the remark for the run’s first lines when the changed files and those
   * beside them are there.
   */
  copyFiles(changedPaths: readonly string[]): Promise<string | null>;
  /** Returns the tree of the files in the copy; null before it is made. */
  copiedTree(): string | null;
  /** Removes the folders when the run has ended; the store keeps the copy. */
  remove(): Promise<void>;
  /** Gives the copy alone to the store: the run may continue and then gets one again. */
  removeCopy(): Promise<void>;
  /** Gives what dead runs left to the store, once: while an agent thinks, no reader waits for it. */
  clearDead(): Promise<void>;
  /** Stops copying, and clears what dead runs left. Safe to call twice. */
  close(): Promise<void>;
}

/** The copy of the files under review while it is being filled. */
export interface FillingCopy {
  /** Returns true if every file is there, and was so many milliseconds ago. */
  isWhole(forMs?: number): boolean;
  /** Copies all other files now: after the prompt is sent, an agent has to think. */
  fillRest(): void;
  /** Resolves when every file is there. Rejects if one cannot be written. */
  whole(): Promise<void>;
  /**
   * Marks a session whose turn may have read files before the copy was complete, also for the next process of the run.
   */
  markEarly(sessionId: string, isEarly: boolean): void;
  isEarly(sessionId: string): boolean;
}

export interface AgentFolderOptions extends Pick<
  DriveFolderOptions,
  'runId' | 'runFolder' | 'env' | 'clock'
> {
  readonly input: Pick<RunInput, 'advisor'>;
  /** True if the lead also reads files in them. */
  readonly leadReads?: boolean;
  /** The repository and its state; null if the advisor sees no files. */
  readonly files: FilesToRead | null;
}

export interface FilesToRead {
  readonly root: string;
  readonly state: string;
  /** The tree that the change was taken from. */
  readonly tree?: string | undefined;
}

/** @throws CollabError `state_folder` if no private folder is available */
export function openAgentFolders(options: AgentFolderOptions): AgentFolders {
  const { runId, runFolder, env, clock, input, files, leadReads = false } = options;
  const state = openStateFolder(runId, { env, clock });
  recordRun(state, runFolder);
  const review = files !== null && (leadReads || readsFiles(input)) ? reviewFolderIn(state) : null;
  let copied: string | null = null;
  let filled: Promise<void> | null = null;
  let wholeSinceMs: number | null = null;
  const [stop, rest] = [new AbortController(), new Deferred<void>()];
  const noteWhole = async (whole: Promise<unknown>): Promise<void> => {
    await whole;
    if (!stop.signal.aborted) wholeSinceMs = clock.now();
  };
  const clearDead = once(() => removeDeadCopies({ env, clock }, runId));
  const close = once(async () => {
    stop.abort();
    await filled?.catch(() => undefined);
    await clearDead();
  });
  const removeCopy = async (): Promise<void> => {
    await close();
    if (review === null || files === null) return;
    await withStore(dirname(state), files.root, async (store) => {
      if (store === null) return;
      await giveBack(store, keptFolderIn(state));
      await pruneDaily(store, clock.now());
    });
  };
  return {
    state,
    review,
    async copyFiles(changedPaths) {
      if (review === null || files === null) return null;
      const { tree, remark, whole } = await fillReviewFolder({
        ...files,
        tree: files.tree ?? null,
        base: dirname(state),
        into: keptFolderIn(state),
        env,
        changedPaths,
        rest: rest.promise,
        signal: stop.signal,
      });
      filled = noteWhole(whole);
      filled.catch(() => undefined);
      copied = tree;
      const before = readIfThere(treeFile(state)) ?? files.tree ?? tree;
      // After a power loss, the tree of the change is compared instead.
      writeAtomically(treeFile(state), tree, { synced: false });
      if (before === tree) return remark;
      return [remark, changedRemark].filter((part) => part !== null).join('; ');
    },
    copiedTree: () => copied,
    isWhole: (forMs = 0) => review === null || (wholeSinceMs !== null && clock.now() - wholeSinceMs >= forMs),
    fillRest: () => rest.resolve(),
    async whole() {
      rest.resolve();
      await filled;
      stop.signal.throwIfAborted();
    },
    markEarly(sessionId, isEarly) {
      if (isEarly) writeAtomically(earlyMark(state, sessionId), '');
      else remove(earlyMark(state, sessionId));
    },
    isEarly: (sessionId) => lookAt(earlyMark(state, sessionId)) !== null,
    async remove() {
      await removeCopy();
      removeStateFolder(runId, { env, clock });
    },
    removeCopy,
    clearDead,
    close,
  };
}

const changedRemark = 'the files have changed since this run began: the advisor reads them as they are now';

/** The file that names the copied state, for a run that continues after its copy was removed. */
function treeFile(state: string): string {
  return join(state, 'copied-tree');
}

function earlyMark(state: string, sessionId: string): string {
  return join(state, `early-${sha256(sessionId).slice(0, 16)}`);
}

/** Rules and scripts read no files. */
function readsFiles({ advisor }: AgentFolderOptions['input']): boolean {
  return advisor.provider !== 'rehearsal' && advisor.assurance === 'model';
}
