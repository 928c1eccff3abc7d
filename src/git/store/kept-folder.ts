/**
 * Folders that are filled with the files of one tree: each file is a second name of a blob. A folder is filled at a
 * path that its user names; between two uses it is kept in the store, so that the next use changes only what differs.
 * A move is atomic: if two runs want the same folder, one gets it. The list of its files exists only while the folder
 * is complete.
 */
import { readdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join, posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CollabError } from '../../errors/collab-error.ts';
import { hasCode } from '../../errors/has-code.ts';
import { Deferred } from '../../system/deferred.ts';
import { lookAt, systemCodeOf } from '../../system/files/fault.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { readIfThere } from '../../system/files/read.ts';
import { moveEntry } from '../../system/files/many-files.ts';
import { removeTree } from '../../system/files/tree.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import type { TreeEntry } from '../repository/list-tree.ts';
import { isUnchanged } from './blobs.ts';
import { atOnce, blobNameOf } from './fetch-blobs.ts';
import { readEntries, renderEntries } from './manifests.ts';
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

export interface Unplaced {
  readonly path: string;
  readonly reason: 'not_in_clone' | 'unsafe_path' | 'stopped';
}

export interface FillOptions {
  readonly folder: string;
  readonly entries: readonly TreeEntry[];
  /** The entries that are placed before all others. */
  readonly first: readonly TreeEntry[];
  /** Reads blobs into the store. */
  readonly fetch: (entries: readonly TreeEntry[]) => Promise<void>;
  /** All others are placed once this settles. Default: immediately. */
  readonly rest?: Promise<void>;
  /** Stops the filling; the next one continues. */
  readonly signal?: AbortSignal;
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
/** A folder that differs in more files is filled from scratch. */
const mostStale = 2000;

async function fill(
  store: RepositoryStore,
  options: FillOptions,
  begin: () => void,
): Promise<readonly Unplaced[]> {
  const { folder, entries, first } = options;
  const held = await openHeld(store, folder);
  const wanted = new Map(entries.map((entry) => [entry.path, entry.blob]));
  const stale = [...held].filter(([path, blob]) => wanted.get(path) !== blob).map(([path]) => path);
  if (stale.length > mostStale) {
    await discard(folder);
    store.files.release();
    return fill(store, options, begin);
  }
  const missing = entries.filter(({ path, blob }) => held.get(path) !== blob);
  if (stale.length + missing.length === 0) return [];
  // From here on, the folder is not whole.
  disown(folder);
  makeFolder(filesIn(folder));
  await removeStale(store, folder, { stale, wanted: [...wanted.keys()] });
  const isFirst = new Set(first);
  const isEarly = (entry: TreeEntry): boolean => missing.length <= fetchedAtOnce || isFirst.has(entry);
  const early = missing.filter(isEarly);
  const late = missing.filter((entry) => !isEarly(entry));
  const unplaced = [...(await place(store, early, options))];
  begin();
  if (late.length > 0) await Promise.race([options.rest, stopped(options.signal)]);
  unplaced.push(...(await place(store, late, options)));
  const gone = new Set(unplaced.map(({ path }) => path));
  const placed = gone.size === 0 ? entries : entries.filter(({ path }) => !gone.has(path));
  writeAtomically(listOf(folder), renderEntries(placed), { synced: false });
  return unplaced;
}

/** Returns the blobs of the folder by path. A folder that is not whole was left by a process that died; it is removed. */
async function openHeld({ name }: RepositoryStore, folder: string): Promise<ReadonlyMap<string, string>> {
  const held = readHeld(folder);
  if (held !== null) return new Map(held.map(({ path, blob }) => [path, blob]));
  await removeTree(folder);
  makeFolder(filesIn(folder));
  writeAtomically(nameOfStoreIn(folder), name, { synced: false });
  return new Map();
}

async function removeStale(
  { files }: RepositoryStore,
  folder: string,
  { stale, wanted }: { readonly stale: readonly string[]; readonly wanted: readonly string[] },
): Promise<void> {
  if (stale.length === 0) return;
  for (const [index, path] of stale.entries()) {
    if (index % atOnce === 0) await nextTurn();
    files.remove(join(filesIn(folder), path));
  }
  const needed = new Set(wanted.flatMap(foldersAbove));
  const empty = new Set(stale.flatMap(foldersAbove).filter((path) => !needed.has(path)));
  const deepestFirst = [...empty].toSorted((one, other) => other.length - one.length);
  for (const path of deepestFirst) files.removeEmpty(join(filesIn(folder), path));
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

async function place(
  { blobs }: RepositoryStore,
  entries: readonly TreeEntry[],
  { folder, fetch, signal }: FillOptions,
): Promise<readonly Unplaced[]> {
  const unplaced: Unplaced[] = [];
  for (let index = 0; index < entries.length; index += fetchedAtOnce) {
    const batch = entries.slice(index, index + fetchedAtOnce);
    if (signal?.aborted !== true) await fetch(batch);
    for (const [position, entry] of batch.entries()) {
      if (position % atOnce === 0) await nextTurn();
      const put = (): boolean => blobs.place(blobNameOf(entry), join(filesIn(folder), entry.path));
      const leave = (reason: Unplaced['reason']): void => void unplaced.push({ path: entry.path, reason });
      try {
        if (signal?.aborted === true) leave('stopped');
        else if (!put()) {
          // Another process cleaned the store, or the blob was changed.
          await fetch([entry]);
          if (!put()) leave('not_in_clone');
        }
      } catch (error) {
        if (!isCollision(error)) throw error;
        leave('unsafe_path');
      }
    }
  }
  return unplaced;
}

const fetchedAtOnce = 500;

/**
 * Returns true if the name is taken: by one in another case on some systems, by a file or a folder in a made-up tree.
 */
function isCollision(error: unknown): boolean {
  if (!(error instanceof CollabError)) return hasCode(error, 'EEXIST', 'EINVAL');
  return error.code === 'input' || systemCodeOf(error) === 'ENAMETOOLONG';
}

async function isWhole({ files }: RepositoryStore, folder: string): Promise<boolean> {
  const held = readHeld(folder);
  try {
    for (const [index, { path, sizeBytes }] of (held ?? []).entries()) {
      if (index % atOnce === 0) await nextTurn();
      if (!isUnchanged(files.facts(join(filesIn(folder), path)), sizeBytes ?? 0)) return false;
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

function readHeld(folder: string): readonly TreeEntry[] | null {
  return readEntries(listOf(folder));
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

/** Returns the names of the kept folders, the last used one first. */
function keptIn(store: Pick<RepositoryStore, 'folder'>): readonly string[] {
  const usedAt = (name: string): number => lookAt(join(foldersOf(store), name))?.ctimeMs ?? 0;
  if (lookAt(foldersOf(store)) === null) return [];
  return readdirSync(foldersOf(store)).toSorted((one, other) => usedAt(other) - usedAt(one));
}
