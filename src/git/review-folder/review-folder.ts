import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode } from '../../errors/has-code.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { systemCodeOf } from '../../system/files/fault.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { createFile } from '../../system/files/tree.ts';
import { findRepository } from '../repository/find-root.ts';
import { openGitView, type GitView, type OpenViewOptions } from '../repository/git-view.ts';
import { listTree, type TreeEntry } from '../repository/list-tree.ts';
import { planFolder, type LeftOut } from './plan-folder.ts';
import { readBlobs } from '../repository/read-blobs.ts';
import { findTree, type TreeState } from '../repository/state-trees.ts';

export interface ReviewFolderOptions extends OpenViewOptions {
  /** The repository, or a folder in it. */
  readonly root: string;
  readonly state: TreeState;
  /** An empty or missing folder; created with mode 0700. */
  readonly into: string;
  readonly changedPaths: readonly string[];
}

export interface ReviewFolder {
  /** Number of files written. */
  readonly files: number;
  readonly leftOut: readonly LeftOut[];
  /** The copied state. */
  readonly tree: string;
  readonly remark: string | null;
}

/**
 * Writes the files of the state under review for the advisor: from blobs, so that no filter, hook or checkout runs;
 * without `.git` and `.env*`; symbolic links as text that names their target.
 * @throws CollabError `input`, `range`
 */
export async function writeReviewFolder(options: ReviewFolderOptions): Promise<ReviewFolder> {
  const repository = await findRepository(options.root);
  if (repository === null) throw new CollabError('input', `${options.root} is not in a git repository`);
  const view = await openGitView(repository, options);
  try {
    const tree = await findTree(view, options.state);
    const plan = planFolder(await listTree(view, tree), options.changedPaths);
    const unwritten = await writeEntries(view, plan.entries, realPlace(options.into));
    return {
      files: plan.entries.length - unwritten.length,
      leftOut: [...plan.leftOut, ...unwritten],
      tree,
      remark: plan.remark,
    };
  } finally {
    await view.close();
  }
}

async function writeEntries(
  view: GitView,
  entries: readonly TreeEntry[],
  into: string,
): Promise<readonly LeftOut[]> {
  const writer = createWriter(into);
  const unwritten: LeftOut[] = [];
  writer.makeFolderOnce(into);
  for (const batch of batches(entries)) {
    const contents = await readBlobs(
      view,
      batch.map(({ blob }) => blob),
    );
    for (const [index, { path }] of batch.entries()) {
      if (index % atOnce === 0) await nextTurn();
      const content = contents[index] ?? null;
      if (content === null) unwritten.push({ path, reason: 'not_in_clone' });
      else if (!writer.write(path, content)) unwritten.push({ path, reason: 'unsafe_path' });
    }
  }
  return unwritten;
}

/** How many files are written before other work of this process gets its turn. */
const atOnce = 64;

/** At most 32 MiB in memory at a time. */
const batchBytes = 32 * 1024 * 1024;

function* batches(entries: readonly TreeEntry[]): Generator<readonly TreeEntry[]> {
  let batch: TreeEntry[] = [];
  let sizeBytes = 0;
  for (const entry of entries) {
    batch.push(entry);
    sizeBytes += entry.sizeBytes ?? 0;
    if (sizeBytes < batchBytes) continue;
    yield batch;
    [batch, sizeBytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function createWriter(into: string) {
  const made = new Set<string>();
  const makeFolderOnce = (folder: string): void => {
    if (made.has(folder)) return;
    makeFolder(folder);
    made.add(folder);
  };
  /**
   * Returns false when the name collides with another: upper and lower case on some systems, file and folder in a made-up
   * tree.
   */
  const write = (path: string, content: Buffer): boolean => {
    const target = join(into, path);
    try {
      makeFolderOnce(dirname(target));
      createFile(target, content);
      return true;
    } catch (error) {
      if (isCollision(error)) return false;
      throw error;
    }
  };
  return { makeFolderOnce, write };
}

function isCollision(error: unknown): boolean {
  if (!(error instanceof CollabError)) return hasCode(error, 'EEXIST', 'EINVAL');
  return error.code === 'input' || systemCodeOf(error) === 'ENAMETOOLONG';
}
