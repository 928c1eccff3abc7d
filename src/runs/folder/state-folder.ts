/**
 * A private folder for one run's agents: their empty HOME, their sessions. It must be outside every git repository, or
 * the agents would read that repository's instructions as their own.
 */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { disown, filesIn } from '../../git/store/kept-folder.ts';
import { storesFolder } from '../../git/store/store.ts';
import type { Clock } from '../../system/clock.ts';
import { lookAt } from '../../system/files/fault.ts';
import { plainId } from './run-folder.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { setTimes } from '../../system/files/tree.ts';
import { remove } from '../../system/files/write.ts';
import { isPrivate, isUsableBase, stateBases, type StateBaseOptions } from '../../system/state-base.ts';

export interface StateFolderOptions extends StateBaseOptions {
  readonly clock: Clock;
}

/** Folder name of servers' files; no unfinished run left them. */
export const serversFolder = 'servers';
/** Folder name of the claims on reports. */
export const claimsFolder = 'reports';
/** Folder name of the sessions of editors. */
export const sessionsFolder = 'sessions';

/** Folders of the state folder that belong to no run. */
const sharedFolders: readonly string[] = [serversFolder, claimsFolder, sessionsFolder, storesFolder];

const keptMs = 7 * 24 * 60 * 60 * 1000;

/** Opens the folder, mode 0700; a resumed run gets the same one. @throws CollabError `state_folder` */
export function openStateFolder(runId: string, options: StateFolderOptions): string {
  const usable = stateBases(options).filter((base) => isUsableBase(base));
  const [base] = usable;
  if (base === undefined) throw noFolder(stateBases(options));
  const kept = usable.map((candidate) => folderIn(candidate, runId)).find((folder) => existsSync(folder));
  const folder = kept ?? folderIn(base, runId);
  makeFolder(folder, { synced: false });
  const now = new Date(options.clock.now());
  setTimes(folder, { atime: now, mtime: now });
  return folder;
}

/** Returns the folder with the files under review, for agents to read. */
export function reviewFolderIn(stateFolder: string): string {
  return filesIn(keptFolderIn(stateFolder));
}

/** Returns the folder that holds it; when the run is done with it, the store keeps it. */
export function keptFolderIn(stateFolder: string): string {
  return join(stateFolder, 'kept');
}

/** Removes the folder of a run that has ended. Removes links in it, but not their targets. */
export function removeStateFolder(runId: string, options: StateFolderOptions): void {
  for (const base of stateBases(options)) removeOne(folderIn(base, runId));
}

function removeOne(folder: string): void {
  disown(keptFolderIn(folder));
  remove(folder);
}

/** Lists the folders of all runs that have one. */
export function allStateFolders(options: StateFolderOptions): readonly string[] {
  return stateBases(options)
    .filter((base) => existsSync(base) && isUsableBase(base))
    .flatMap((base) => foldersIn(base));
}

/** Name of the files of a submitted run in the temporary folder of its drive, beside the folder of the run. */
export const scratchFiles = 'files';

/** Lists the temporary folders of the drives of submitted runs. */
export function scratchFolders(options: StateFolderOptions): readonly string[] {
  return temporaryFolders(options, ['run']);
}

/** Removes folders that unfinished runs left more than seven days ago; returns the runs' ids. */
export function removeOldStateFolders(options: StateFolderOptions): readonly string[] {
  const old = [...allStateFolders(options), ...temporaryFolders(options, ofKilled)].filter(
    (folder) => options.clock.now() - (lookAt(folder)?.mtimeMs ?? Infinity) > keptMs,
  );
  for (const folder of old) removeOne(folder);
  return old.map((folder) => basename(folder));
}

function folderIn(base: string, runId: string): string {
  return join(base, plainId(runId));
}

function foldersIn(base: string): readonly string[] {
  return readdirSync(base, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !sharedFolders.includes(entry.name))
    .map(({ name }) => join(base, name));
}

/** Kinds of private folders in the temporary folder that only a killed process leaves; they hold the files of runs. */
const ofKilled: readonly string[] = ['git', 'attributes', 'commit', 'copy', 'run'];

function temporaryFolders(
  { temporaryFolder = tmpdir() }: StateFolderOptions,
  kinds: readonly string[],
): readonly string[] {
  if (!existsSync(temporaryFolder)) return [];
  return readdirSync(temporaryFolder)
    .filter((name) => kinds.includes(/^collab-(\w+)-\w{6}$/.exec(name)?.[1] ?? ''))
    .map((name) => join(temporaryFolder, name))
    .filter((folder) => isPrivate(folder));
}

function noFolder(tried: readonly string[]): CollabError {
  return new CollabError(
    'state_folder',
    `No private folder outside every git repository: ${tried.join(', ')}`,
    {
      hint: 'Set XDG_STATE_HOME to a folder of yours outside every repository.',
      details: { tried },
    },
  );
}
