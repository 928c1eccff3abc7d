/**
 * Limits the age and the size of the stores. The last change of an inode counts as its last use: a blob's changes when
 * it is written, or gets or loses a name. A blob that a run uses has a second name and stays.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode } from '../../errors/has-code.ts';
import { lookAt } from '../../system/files/fault.ts';
import { moveEntry } from '../../system/files/many-files.ts';
import { namesIn } from '../../system/files/read.ts';
import { removeTree } from '../../system/files/tree.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { atOnce } from './fetch-blobs.ts';
import { foldersOf, removeKept } from './kept-folder.ts';
import { changeLists, wholeLists } from './manifests.ts';
import { storesFolder, type RepositoryStore } from './store.ts';

/** The longest time for which anything is kept unused. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
/** Bytes of unused contents per repository. With two folders of 512 MiB, this limits a store. */
const mostUnusedBytes = 256 * 1024 * 1024;
/** Younger contents may be about to be used by another process. */
const youngMs = 60 * 60 * 1000;
/** Repositories with a store; the least recently used one goes first. */
const mostStores = 8;
const dayMs = 24 * 60 * 60 * 1000;

/** Cleans a store of a repository if that was not done in the last day. */
export async function pruneDaily(store: RepositoryStore, nowMs: number): Promise<void> {
  const done = join(store.folder, 'pruned');
  if (nowMs - (lookAt(done)?.mtimeMs ?? 0) < dayMs) return;
  try {
    writeAtomically(done, '', { synced: false });
    await pruneStore(store, nowMs);
  } catch (error) {
    // Another process removed the whole store meanwhile.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

export async function pruneStore(
  store: RepositoryStore,
  nowMs: number,
  mostUnused = mostUnusedBytes,
): Promise<void> {
  for (const lists of [changeLists, wholeLists].map((name) => join(store.folder, name)))
    for (const path of namesIn(lists).map((name) => join(lists, name)))
      if (nowMs - (lookAt(path)?.mtimeMs ?? nowMs) > keptMs) store.files.remove(path);
  for (const name of namesIn(foldersOf(store)))
    if (nowMs - (lookAt(join(foldersOf(store), name))?.ctimeMs ?? nowMs) > keptMs)
      await removeKept(store, name);
  await pruneBlobs(store, nowMs, mostUnused);
  await removeTree(join(store.folder, 'trash'));
}

/** Removes the stores of repositories that were not used for long, or that are too many. Returns how many. */
export async function pruneStores(base: string, nowMs: number): Promise<number> {
  const root = join(base, storesFolder);
  const usedAt = new Map(namesIn(root).map((name) => [name, lookAt(join(root, name))?.mtimeMs ?? nowMs]));
  const byUse = [...usedAt].toSorted(([, one], [, other]) => other - one);
  const old = byUse.filter(([name, used], index) => {
    const age = nowMs - used;
    return age > keptMs || (index >= mostStores && age > youngMs) || isGone(name);
  });
  for (const [name] of old) await removeStore(root, name);
  return old.length;
}

/** Removes all stores; a run that uses one creates it again. Returns how many. */
export async function removeStores(base: string): Promise<number> {
  const root = join(base, storesFolder);
  const names = namesIn(root);
  for (const name of names) await removeStore(root, name);
  return names.length;
}

export function countStores(base: string): number {
  return namesIn(join(base, storesFolder)).length;
}

/** A store that is half removed must not be used: it is moved away first. */
async function removeStore(root: string, name: string): Promise<void> {
  const gone = join(root, isGone(name) ? name : `gone-${randomUUID()}`);
  if (gone !== join(root, name)) moveEntry(join(root, name), gone);
  await removeTree(gone);
}

function isGone(name: string): boolean {
  return name.startsWith('gone-');
}

async function pruneBlobs(
  { folder, files }: RepositoryStore,
  nowMs: number,
  mostUnused: number,
): Promise<void> {
  const unused: { readonly path: string; readonly size: number; readonly usedAt: number }[] = [];
  for (const shard of namesIn(join(folder, 'blobs'))) {
    for (const [index, name] of namesIn(join(folder, 'blobs', shard)).entries()) {
      if (index % atOnce === 0) await nextTurn();
      const path = join(folder, 'blobs', shard, name);
      const facts = files.facts(path);
      if (facts !== null && facts.nlink === 1) unused.push({ path, size: facts.size, usedAt: facts.ctimeMs });
    }
  }
  let bytes = 0;
  for (const { path, size, usedAt } of unused.toSorted((one, other) => other.usedAt - one.usedAt)) {
    bytes += size;
    const age = nowMs - usedAt;
    if (age > keptMs || (bytes > mostUnused && age > youngMs)) files.remove(path);
  }
  files.release();
}
