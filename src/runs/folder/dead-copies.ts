/**
 * Gives the copies of the files under review that killed and interrupted runs left to the store, and removes the folders of
 * killed workers. Each next run and worker does it, since a killed process does nothing. A run that continues gets a copy again.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { giveBackLeft } from '../../git/store/kept-folder.ts';
import { pruneStores } from '../../git/store/prune.ts';
import { takeLock, wasTaken } from '../../engine/lock/lock.ts';
import { readIfThere } from '../../system/files/read.ts';
import { rename } from '../../system/files/tree.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import { standing } from './run-status.ts';
import {
  allStateFolders,
  removeOldStateFolders,
  keptFolderIn,
  removeStateFolder,
  scratchFiles,
  scratchFolders,
  type StateFolderOptions,
} from './state-folder.ts';
import { stateBases } from '../../system/state-base.ts';

/**
 * Records the run of a private folder in it. If a power loss removes this record, the folder is removed after a week.
 */
export function recordRun(stateFolder: string, runFolder: string): void {
  writeAtomically(runFile(stateFolder), runFolder, { synced: false });
}

/**
 * Records the run of a folder that one drive alone uses: the next drive has another one, so it is removed as soon as its
 * drive is dead.
 */
export function recordDrive(stateFolder: string, runFolder: string): void {
  writeAtomically(driveFile(stateFolder), runFolder, { synced: false });
}

/**
 * Also removes folders that are older than a week. A copy that cannot be removed is left to the next run.
 *
 * @param own the run that this process is about to continue
 */
export async function removeDeadCopies(options: StateFolderOptions, own?: string): Promise<void> {
  try {
    removeOldStateFolders(options);
    for (const base of stateBases(options)) await pruneStores(base, options.clock.now());
    const others = allStateFolders(options).filter((folder) => basename(folder) !== own);
    await Promise.all(others.map((folder) => removeDead(folder, options)));
    await Promise.all(scratchFolders(options).map((folder) => removeDeadScratch(folder)));
  } catch {
    // Another process removes the same, or a folder is not ours.
  }
}

async function removeDead(stateFolder: string, options: StateFolderOptions): Promise<void> {
  const runFolder = readIfThere(driveFile(stateFolder));
  if (runFolder === null) return removeDeadCopy(stateFolder);
  await whileDead(runFolder, () => removeStateFolder(basename(stateFolder), options));
}

/** A folder without a lock is one that a worker is about to use, or one that is being removed. */
async function removeDeadScratch(folder: string): Promise<void> {
  const runs = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== scratchFiles)
    .map(({ name }) => join(folder, name));
  for (const run of runs.filter(wasTaken)) await whileDead(run, () => remove(folder));
}

async function removeDeadCopy(stateFolder: string): Promise<void> {
  const copy = keptFolderIn(stateFolder);
  const runFolder = existsSync(copy) ? readIfThere(runFile(stateFolder)) : null;
  if (runFolder !== null) {
    await whileDead(runFolder, () => rename(copy, `${copy}${deadMark}${process.pid}`));
  }
  const dead = readdirSync(stateFolder).filter((name) => name.includes(deadMark));
  await Promise.all(dead.map((name) => giveBackLeft(dirname(stateFolder), join(stateFolder, name))));
}

/**
 * Works under the lock of a run that no process drives, so that it does not continue meanwhile. Returns false, without the
 * work, if it continues, waits, or cannot be read.
 */
export async function whileDead(runFolder: string, work: () => void | Promise<void>): Promise<boolean> {
  if (existsSync(runFolder)) return underLock(runFolder, work);
  await work();
  return true;
}

async function underLock(runFolder: string, work: () => void | Promise<void>): Promise<boolean> {
  const state = await standing(runFolder).catch(() => null);
  if (state !== 'interrupted' && state !== 'ended') return false;
  const lock = await takeLock(runFolder).catch(() => null);
  if (lock === null) return false;
  try {
    await work();
    return true;
  } finally {
    await lock.release();
  }
}

const deadMark = '.dead-';

function runFile(stateFolder: string): string {
  return join(stateFolder, 'run');
}

function driveFile(stateFolder: string): string {
  return join(stateFolder, 'drive');
}
