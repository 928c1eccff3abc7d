/** The folders that a run's agents get: a private one for their state, and a copy of the files under review. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { writeReviewFolder, type ReviewFolder } from '../../git/review-folder/review-folder.ts';
import type { Clock } from '../../system/clock.ts';
import type { RunInput } from './run-input.ts';
import { openStateFolder, removeStateFolder, reviewFolderIn } from './state-folder.ts';

export interface AgentFolders {
  readonly state: string;
  /** Null where nobody reads files. */
  readonly review: string | null;
  /** Copies the files under review, once; says what the first line of the run must say of it. */
  copyFiles(changedPaths: readonly string[]): Promise<string | null>;
  /** The tree of the files in the copy; null where this drive has not made it. */
  copiedTree(): string | null;
  /** When the run has ended. */
  remove(): void;
}

export interface AgentFolderOptions {
  readonly runId: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly input: Pick<RunInput, 'advisor'>;
  /** Whether the lead looks things up in them as well. */
  readonly leadReads?: boolean;
  /** The repository and its state; null where the advisor sees no files. */
  readonly files: FilesToRead | null;
}

export interface FilesToRead {
  readonly root: string;
  readonly state: string;
}

/** @throws CollabError `state_folder` where no private folder can be had */
export function openAgentFolders(options: AgentFolderOptions): AgentFolders {
  const { runId, env, clock, input, files, leadReads = false } = options;
  const state = openStateFolder(runId, { env, clock });
  const review = files !== null && (leadReads || readsFiles(input)) ? reviewFolderIn(state) : null;
  let copied: string | null = null;
  return {
    state,
    review,
    async copyFiles(changedPaths) {
      if (review === null || files === null || existsSync(review)) return null;
      const { tree, remark } = await fillReviewFolder({ into: review, env, files, changedPaths });
      copied = tree;
      return remark;
    },
    copiedTree: () => copied,
    remove: () => removeStateFolder(runId, { env, clock }),
  };
}

/** Rules and scripts read none. */
function readsFiles({ advisor }: AgentFolderOptions['input']): boolean {
  return advisor.provider !== 'rehearsal' && advisor.assurance === 'model';
}

interface FillOptions extends Pick<AgentFolderOptions, 'env'> {
  readonly files: FilesToRead;
  readonly into: string;
  readonly changedPaths: readonly string[];
}

/** Whole or not at all: a run that was killed meanwhile must not go on with half of the files. */
async function fillReviewFolder({ into, env, files, changedPaths }: FillOptions): Promise<ReviewFolder> {
  const unfinished = `${into}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const written = await writeReviewFolder({ ...files, into: unfinished, changedPaths, env });
  renameSync(unfinished, into);
  return written;
}
