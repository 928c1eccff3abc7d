/** The folders that a run's agents get: a private one for their state, and a copy of the files under review. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { writeReviewFolder } from '../git/review-folder.ts';
import type { Clock } from '../process/clock.ts';
import type { ReadChange } from './run-count.ts';
import type { ReviewRunInput } from './run-input.ts';
import { openStateFolder, removeStateFolder, reviewFolderIn } from './state-folder.ts';

export interface AgentFolders {
  readonly state: string;
  /** Null where the advisor reads no files. */
  readonly review: string | null;
  /** Copies the files under review, once; says what the first line of the run must say of it. */
  fill(change: ReadChange): Promise<string | null>;
  /** When the run has ended. */
  remove(): void;
}

export interface AgentFolderOptions {
  readonly runId: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly input: ReviewRunInput;
}

/** @throws CollabError `state_folder` where no private folder can be had */
export function openAgentFolders({ runId, env, clock, input }: AgentFolderOptions): AgentFolders {
  const state = openStateFolder(runId, { env, clock });
  const review = readsFiles(input) ? reviewFolderIn(state) : null;
  return {
    state,
    review,
    async fill(change) {
      if (review === null || existsSync(review)) return null;
      return fillReviewFolder({ into: review, env, input, change });
    },
    remove: () => removeStateFolder(runId, { env, clock }),
  };
}

/** A diff from elsewhere has no files here; rules and scripts read none. */
function readsFiles({ advisor, change }: ReviewRunInput): boolean {
  return advisor.provider !== 'rehearsal' && advisor.assurance === 'model' && change.files !== null;
}

interface FillOptions extends Pick<AgentFolderOptions, 'env' | 'input'> {
  readonly into: string;
  readonly change: ReadChange;
}

/** Whole or not at all: a run that was killed meanwhile must not go on with half of the files. */
async function fillReviewFolder({ into, env, input, change }: FillOptions): Promise<string | null> {
  if (input.change.files === null) return null;
  const { root, state } = input.change.files;
  const changedPaths = change.counted.files.map((file) => file.path);
  const unfinished = `${into}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const { remark } = await writeReviewFolder({ root, state, into: unfinished, changedPaths, env });
  renameSync(unfinished, into);
  return remark;
}
