/** The edits of a run, for `collab apply`: a small file in the run folder, which outlives the lead's folder. */
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import { dropBranch, type DroppedBranch } from '../../git/working-copy/drop-branch.ts';
import { removeRegistration } from '../../git/working-copy/registration.ts';
import type { Edits } from '../../git/working-copy/working-copy.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';
import type { RunFolder } from '../folder/run-folder.ts';

const stateSchema = z.object({
  /** With git, a commit of the branch. */
  commit: z.string(),
  /** The same state byte for byte, in the run's own git directory. */
  tree: z.string(),
});

const editsSchema = z.object({
  schema: z.literal('collab.edits/v1'),
  run_id: z.string(),
  /** The user's tree that the edits are for. */
  root: z.string(),
  /** The branch of the edits; null without git. */
  branch: z.string().nullable(),
  base: stateSchema,
  head: stateSchema,
});
type RunEdits = Readonly<z.infer<typeof editsSchema>>;

/** Called when the working copy is opened and after each commit. */
export function recordEdits({ runId, path }: RunFolder, edits: Edits): void {
  const record: RunEdits = { schema: 'collab.edits/v1', run_id: runId, ...edits };
  writeAtomically(fileIn(path), JSON.stringify(record));
}

/** Returns null if the run never had a working copy. @throws CollabError `journal_corrupt` */
export function readEdits(runFolder: string): RunEdits | null {
  const file = fileIn(runFolder);
  const text = readIfThere(file);
  if (text === null) return null;
  try {
    return editsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CollabError('journal_corrupt', `${file} was changed since the run wrote it`, {
      hint: 'The commits of the run may still be there: git branch --list "collab/*"',
      details: { file },
      cause,
    });
  }
}

/**
 * Removes what the run left in the user's repository: the entry of its worktree, and its branch if all commits on it are
 * the run's. Returns the branch if it stays. @throws CollabError `journal_corrupt`
 */
export async function leaveRepository(run: RunFolder, calls: RepositoryCalls): Promise<string | null> {
  const { root, branch } = readEdits(run.path) ?? { root: '', branch: null };
  const repository = branch === null ? null : await findRepository(root);
  if (repository === null || branch === null) return null;
  await removeRegistration(repository, run.runId);
  return dropBranchOf(run, calls);
}

/** Removes the branch of the run if all commits on it are the run's. Returns the branch if it stays. */
export async function dropBranchOf(run: RunFolder, calls: RepositoryCalls): Promise<string | null> {
  const edits = readEdits(run.path);
  if (edits === null || edits.branch === null) return null;
  const { root, branch } = edits;
  const { runId, path: runFolder } = run;
  return (await dropBranch({ ...calls, root, branch, runId, runFolder })) ? null : branch;
}

type RepositoryCalls = Pick<DroppedBranch, 'env' | 'signal'>;

function fileIn(runFolder: string): string {
  return join(runFolder, 'edits.json');
}
