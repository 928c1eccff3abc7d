/** The folders of a run's agents: a private one for their state, and a copy of the files under review. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeReviewFolder, type ReviewFolder } from '../../git/review-folder/review-folder.ts';
import { removeTree, rename } from '../../system/files/tree.ts';
import type { Clock } from '../../system/clock.ts';
import { readIfThere } from '../../system/files/read.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import { recordRun, removeDeadCopies } from './dead-copies.ts';
import type { RunInput } from './run-input.ts';
import { openStateFolder, removeStateFolder, reviewFolderIn } from './state-folder.ts';

export interface AgentFolders {
  readonly state: string;
  /** The copy of the files under review; null if no agent reads files. */
  readonly review: string | null;
  /** Copies the files under review, once; returns the remark for the run's first line. */
  copyFiles(changedPaths: readonly string[]): Promise<string | null>;
  /** Returns the tree of the files in the copy; null if this drive did not make the copy. */
  copiedTree(): string | null;
  /** Removes the folders when the run has ended. */
  remove(): void;
  /** Removes the copy alone: the run may continue and then copies the files again. */
  removeCopy(): void;
  /** Resolves when the copies that dead runs left are removed. */
  readonly swept: Promise<void>;
}

export interface AgentFolderOptions {
  readonly runId: string;
  readonly runFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly input: Pick<RunInput, 'advisor'>;
  /** True if the lead also reads files in them. */
  readonly leadReads?: boolean;
  /** The repository and its state; null if the advisor sees no files. */
  readonly files: FilesToRead | null;
}

export interface FilesToRead {
  readonly root: string;
  readonly state: string;
}

/** @throws CollabError `state_folder` if no private folder is available */
export function openAgentFolders(options: AgentFolderOptions): AgentFolders {
  const { runId, runFolder, env, clock, input, files, leadReads = false } = options;
  const state = openStateFolder(runId, { env, clock });
  recordRun(state, runFolder);
  const review = files !== null && (leadReads || readsFiles(input)) ? reviewFolderIn(state) : null;
  let copied: string | null = null;
  return {
    state,
    review,
    async copyFiles(changedPaths) {
      if (review === null || files === null || existsSync(review)) return null;
      const { tree, remark } = await fillReviewFolder({ into: review, env, files, changedPaths });
      copied = tree;
      const before = readIfThere(treeFile(state));
      writeAtomically(treeFile(state), tree);
      if (before === null || before === tree) return remark;
      return [remark, changedRemark].filter((part) => part !== null).join('; ');
    },
    copiedTree: () => copied,
    remove: () => removeStateFolder(runId, { env, clock }),
    removeCopy() {
      if (review !== null) remove(review);
    },
    swept: removeDeadCopies({ env, clock }, runId),
  };
}

const changedRemark = 'the files have changed since this run began: the advisor reads them as they are now';

/** The file that names the copied state, for a run that continues after its copy was removed. */
function treeFile(state: string): string {
  return join(state, 'copied-tree');
}

/** Rules and scripts read no files. */
function readsFiles({ advisor }: AgentFolderOptions['input']): boolean {
  return advisor.provider !== 'rehearsal' && advisor.assurance === 'model';
}

interface FillOptions extends Pick<AgentFolderOptions, 'env'> {
  readonly files: FilesToRead;
  readonly into: string;
  readonly changedPaths: readonly string[];
}

/** Fills the folder atomically: a run that was killed meanwhile must not continue with half of the files. */
async function fillReviewFolder({ into, env, files, changedPaths }: FillOptions): Promise<ReviewFolder> {
  const unfinished = `${into}.unfinished`;
  await removeTree(unfinished);
  const written = await writeReviewFolder({ ...files, into: unfinished, changedPaths, env });
  rename(unfinished, into);
  return written;
}
