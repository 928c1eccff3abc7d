/** The edits of a run that other machines drove, brought to the user's repository. */
import { join } from 'node:path';
import { receiveCopy, type LaterState } from '../../git/working-copy/travel.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { removeTree } from '../../system/files/tree.ts';
import type { RunFolder } from '../folder/run-folder.ts';
import type { ApplyRunOptions } from './apply.ts';
import { recordEdits } from './edits.ts';

/** The copy of a run as a database has it. */
export interface StoredCopy {
  /** The packed state at the submission. */
  readonly sent: Buffer;
  readonly made: readonly LaterState[];
}

export interface FetchedRun extends RunFolder {
  /** Adds the commits to the user's repository, as the branch of the run. */
  readonly addBranch: () => Promise<void>;
}

/**
 * Gives `use` a folder of the run that has its states, and removes it afterward.
 * @throws CollabError `input` if the run did not start in this repository, or if its copy is damaged
 */
export async function withFetchedRun<Result>(
  { sent, made }: StoredCopy,
  { run: { runId }, ...options }: ApplyRunOptions,
  use: (run: FetchedRun) => Promise<Result>,
): Promise<Result> {
  const parent = makeTemporaryFolder('collab-copy-');
  try {
    const path = join(parent, 'run');
    const { edits, addBranch } = await receiveCopy(sent, made, { ...options, runId, runFolder: path });
    recordEdits({ runId, path }, edits);
    return await use({ runId, path, addBranch });
  } finally {
    await removeTree(parent);
  }
}
