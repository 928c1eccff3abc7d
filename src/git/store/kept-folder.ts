/**
 * Folders that are filled with the files of one tree: each file is a second name of a blob. A folder is filled at a
 * path that its user names; between two uses it is kept in the store, so that the next use changes only what differs.
 * A move is atomic: if two runs want the same folder, one gets it. The list of its files exists only while the folder
 * is complete.
 */
import { randomUUID } from 'node:crypto';
import { join, posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CollabError } from '../../errors/collab-error.ts';
import { Deferred } from '../../system/deferred.ts';
import { lookAt } from '../../system/files/fault.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { namesIn, readIfThere } from '../../system/files/read.ts';
import { moveEntry } from '../../system/files/many-files.ts';
import { removeTree } from '../../system/files/tree.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import { wholeList, withChanges, type FileList } from '../repository/file-list.ts';
import type { TreeEntry } from '../repository/list-tree.ts';
import { isUnchanged } from './blobs.ts';
import { atOnce } from './fetch-blobs.ts';
import { placeFiles, type PlaceOptions, type Unplaced } from './place-files.ts';
import { openNamedStore, type RepositoryStore } from './store.ts';

/** Returns the folder with the files. */
export function filesIn(folder: string): string {
  return join(folder, 'review');
}

export interface Filling {
  /** Settles when the first files are in the folder. */
  readonly begun: Promise<void>;
  /** Settles when all files are, or when the signal stops it; resolves with the missing files, by reason. */
  readonly whole: Promise<readonly Unplaced[]>;
}

export interface FillOptions extends Omit<PlaceOptions, 'folder'> {
  readonly folder: string;
  readonly files: FileList;
  /** Returns the files that are placed first. */
  readonly first: () => readonly TreeEntry[];
  /** All others are placed once this settles. Default: immediately. */
  readonly rest?: Promise<void> | undefined;
}

/** Moves a kept folder of the store to `folder`, if there is one and nothing is there yet. @throws CollabError `input`, `file` */
export function claimKept(store: RepositoryStore, folder: string): void {
  if (lookAt(folder) !== null) return;
  for (const name of keptIn(store)) if (moveEntry(join(foldersOf(store), name), folder)) return;
}

/** Fills the folder, which may hold the files of another tree. The caller awaits both parts. */
export function fillFolder(store: RepositoryStore, options: FillOptions): Filling {
  const begun = new Deferred<void>();
  const whole = fill(store, options, () => begun.resolve()).finally(() => store.files.release());
  return { whole, begun: Promise.race([begun.promise, whole]).then(nothing) };
}

/** Keeps the folder for later runs if it is whole and no file of it was changed; removes it otherwise. */
export async function giveBack(store: RepositoryStore, folder: string): Promise<void> {
  const whole = await isWhole(store, folder);
  store.files.release();
  if (whole) moveEntry(folder, join(foldersOf(store), randomUUID()));
  else await discard(folder);
  for (const name of keptIn(store).slice(mostKept)) await removeKept(store, name);
}

/** Removes a kept folder, unless a run claims it first. */
export async function removeKept(store: Pick<RepositoryStore, 'folder'>, name: string): Promise<void> {
  const gone = join(store.folder, 'trash', randomUUID());
  if (moveEntry(join(foldersOf(store), name), gone)) await removeTree(gone);
}

/** Ensures that no later run treats the folder as complete, even if its removal is interrupted. */
export function disown(folder: string): void {
  remove(listOf(folder));
}

/** Does the same for a folder that a run left, in the store that filled it. `base`: the folder of all private folders. */
export async function giveBackLeft(base: string, folder: string): Promise<void> {
  const name = readIfThere(nameOfStoreIn(folder)) ?? '';
  if (!/^[0-9a-f]{16}$/.test(name)) return removeTree(folder);
  const store = openNamedStore(base, name);
  try {
    await giveBack(store, folder);
  } finally {
    store.close();
  }
}

/** Maximum number of unused folders per repository: one for each of two parallel runs. */
const mostKept = 2;
/** So many missing files are all placed before the filling has begun. */
const fewMissing = 500;
/** A folder that differs in more files is filled from scratch. */
const mostStale = 2000;

async function fill(
  store: RepositoryStore,
  options: FillOptions,
  begin: () => void,
): Promise<readonly Unplaced[]> {
  const { folder, files } = options;
  const held = await openHeld(store, folder);
  const { stale, missing } = compareFiles(held, files);
  if (stale.length > mostStale) {
    await discard(folder);
    store.files.release();
    return fill(store, options, begin);
  }
  if (stale.length + missing.length === 0) return [];
  // From here on, the folder is not whole.
  disown(folder);
  makeFolder(filesIn(folder));
  await removeStale(store, folder, { stale, files });
  const isFirst = new Set(missing.length <= fewMissing ? missing : options.first());
  const early = missing.filter((entry) => isFirst.has(entry));
  const late = missing.filter((entry) => !isFirst.has(entry));
  const placed = { ...options, folder: filesIn(folder) };
  const unplaced = [...(await placeFiles(store, early, placed))];
  begin();
  if (late.length > 0) await Promise.race([options.rest, stopped(options.signal)]);
  unplaced.push(...(await placeFiles(store, late, placed)));
  const list = withChanges(files, new Map(unplaced.map(({ path }) => [path, null])));
  // One of two files with the same name is in the folder, and no list says which one.
  if (unplaced.length === 0 || !hasTwins(files)) store.trees.write(listOf(folder), list);
  return unplaced;
}

function hasTwins({ entries }: FileList): boolean {
  return new Set(entries.map(({ path }) => path)).size < entries.length;
}

interface Difference {
  readonly stale: readonly string[];
  readonly missing: readonly TreeEntry[];
}

function compareFiles(held: FileList, wanted: FileList): Difference {
  const isSameBase = held.base !== null && held.base === wanted.base;
  const differing = isSameBase ? new Set([...held.changes.keys(), ...wanted.changes.keys()]) : null;
  const blobsOf = ({ entries }: FileList): ReadonlyMap<string, string> => {
    const considered = differing === null ? entries : entries.filter(({ path }) => differing.has(path));
    return new Map(considered.map(({ path, blob }) => [path, blob]));
  };
  const [there, needed] = [blobsOf(held), blobsOf(wanted)];
  return {
    stale: [...there].filter(([path, blob]) => needed.get(path) !== blob).map(([path]) => path),
    missing: wanted.entries.filter(
      ({ path, blob }) => (differing === null || differing.has(path)) && there.get(path) !== blob,
    ),
  };
}

/** Returns the files of the folder. A folder that is not whole was left by a process that died; it is removed. */
async function openHeld(store: RepositoryStore, folder: string): Promise<FileList> {
  const held = store.trees.read(listOf(folder));
  if (held !== null) return held;
  await removeTree(folder);
  makeFolder(filesIn(folder));
  writeAtomically(nameOfStoreIn(folder), store.name, { synced: false });
  return wholeList([]);
}

async function removeStale(
  store: RepositoryStore,
  folder: string,
  { stale, files }: { readonly stale: readonly string[]; readonly files: FileList },
): Promise<void> {
  for (const [index, path] of stale.entries()) {
    if (index % atOnce === 0) await nextTurn();
    store.files.remove(join(filesIn(folder), path));
  }
  const gone = new Set(stale);
  for (const { path } of files.entries) gone.delete(path);
  const empty = new Set([...gone].flatMap(foldersAbove));
  if (empty.size > 0)
    for (const { path } of files.entries) for (const parent of foldersAbove(path)) empty.delete(parent);
  const deepestFirst = [...empty].toSorted((one, other) => other.length - one.length);
  for (const path of deepestFirst) store.files.removeEmpty(join(filesIn(folder), path));
}

function foldersAbove(path: string): readonly string[] {
  const parent = posix.dirname(path);
  return parent === '.' ? [] : [parent, ...foldersAbove(parent)];
}

function stopped(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function isWhole({ files, trees }: RepositoryStore, folder: string): Promise<boolean> {
  const held = trees.read(listOf(folder));
  const root = filesIn(folder);
  try {
    for (const [index, { path, sizeBytes }] of (held?.entries ?? []).entries()) {
      if (index % atOnce === 0) await nextTurn();
      if (!isUnchanged(files.facts(join(root, path)), sizeBytes ?? 0)) return false;
    }
  } catch (error) {
    // One of its parent folders is a file or a link now.
    if (error instanceof CollabError && error.code === 'input') return false;
    throw error;
  }
  return held !== null;
}

async function discard(folder: string): Promise<void> {
  disown(folder);
  await removeTree(folder);
}

function listOf(folder: string): string {
  return join(folder, 'files');
}

function nothing(): void {}

function nameOfStoreIn(folder: string): string {
  return join(folder, 'store');
}

/** Returns the folder of the kept folders. */
export function foldersOf(store: Pick<RepositoryStore, 'folder'>): string {
  return join(store.folder, 'folders');
}

/** Returns true if a run that starts now may claim a folder. */
export function hasKept(store: Pick<RepositoryStore, 'folder'>): boolean {
  return keptIn(store).length > 0;
}

/** Returns the names of the kept folders, the last used one first. */
function keptIn(store: Pick<RepositoryStore, 'folder'>): readonly string[] {
  const usedAt = (name: string): number => lookAt(join(foldersOf(store), name))?.ctimeMs ?? 0;
  return namesIn(foldersOf(store)).toSorted((one, other) => usedAt(other) - usedAt(one));
}
