/** Removes runs and conversations under their locks, so that no process continues them meanwhile. */
import { findOwner, takeLock } from '../engine/lock/lock.ts';
import { removeTree } from '../system/files/tree.ts';
import { removeConversation, type ConversationFolder } from './conversation/store.ts';
import { whileDead } from './folder/dead-copies.ts';
import type { RunFolder } from './folder/run-folder.ts';
import { removeStateFolder, type StateFolderOptions } from './folder/state-folder.ts';
import { leaveRepository } from './workflow/edits.ts';

type RemovalOptions = StateFolderOptions & Parameters<typeof leaveRepository>[1];

export interface RemovedRun {
  /** The run's branch, if it stays. */
  readonly branch: string | null;
}

/** Returns null if another process continues the run. @throws CollabError if its work in the repository cannot be read */
export async function removeRun(found: RunFolder, options: RemovalOptions): Promise<RemovedRun | null> {
  let branch: string | null = null;
  const isRemoved = await whileDead(found.path, async () => {
    branch = await leaveRepository(found, options);
    removeStateFolder(found.runId, options);
    await removeTree(found.path);
  });
  return isRemoved ? { branch } : null;
}

/** Returns true if a process has the conversation open. */
export async function isOpenElsewhere({ path }: ConversationFolder): Promise<boolean> {
  return (await findOwner(path)) !== null;
}

/** Returns false if a process has the conversation open. */
export async function removeClosed(
  folder: ConversationFolder,
  options: StateFolderOptions,
): Promise<boolean> {
  const lock = await takeLock(folder.path).catch(() => null);
  if (lock === null) return false;
  try {
    removeStateFolder(folder.id, options);
    removeConversation(folder);
    return true;
  } finally {
    await lock.release();
  }
}
