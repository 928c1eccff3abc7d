/** Converts the current folder to a tree, and a tree back to the exact folder. */
import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { removeTree } from '../../system/files/tree.ts';
import { remove } from '../../system/files/write.ts';
import type { GitView } from '../repository/git-view.ts';
import { gitWords } from '../repository/run-git.ts';
import { stage, stageWorkTree, updateIndex, writeTree } from '../repository/state-trees.ts';
import { listChanges, listCopyEntries, type CopyEntry } from './entries.ts';
import { bytesBelow, isKeptOut, toBytePath, toBytes, type BytePath } from './paths.ts';
import { storeIndex } from './store.ts';
import { writeEntries } from './write.ts';

/**
 * Returns the tree of the folder: with new files, without ignored ones and `.env*`. `known` counts as tracked when the
 * index is lost.
 */
export async function snapshotFolder(store: GitView, known: string): Promise<string> {
  if (!existsSync(storeIndex(store.repository.gitDir))) await readTree(store, known);
  await stageWorkTree(store, isKeptOut);
  return writeTree(store);
}

/** Returns the tree of exactly these paths of the folder; ignores `.gitignore`. */
export async function snapshotPaths(store: GitView, paths: readonly BytePath[]): Promise<string> {
  remove(storeIndex(store.repository.gitDir));
  await stage(store, paths.map(toBytes));
  return writeTree(store);
}

/** Makes the folder equal to the tree; only its `.git` stays. @throws CollabError `input` */
export async function restoreFolder(store: GitView, tree: string): Promise<void> {
  const folder = store.repository.root;
  const wanted = await listCopyEntries(store, tree);
  const present = await snapshotFolder(store, tree);
  await removeOthers(folder, wanted);
  const changes = await listChanges(store, present, tree);
  const written = changes.flatMap(({ path, after }) => (after === null ? [] : [[path, after] as const]));
  await writeEntries(store, folder, new Map(written));
  await updateIndex(
    store,
    ['--force-remove'],
    changes.map(({ path }) => toBytes(path)),
  );
  await stage(
    store,
    written.map(([path]) => toBytes(path)),
  );
  const restored = await writeTree(store);
  if (restored !== tree) throw new CollabError('internal', `${folder} is ${restored} instead of ${tree}`);
}

async function readTree(store: GitView, tree: string): Promise<void> {
  const result = await store.inWorkTree(['read-tree', tree]);
  if (result.exitCode !== 0) throw new CollabError('input', `${tree} cannot be read: ${gitWords(result)}`);
}

/** Links are removed, never followed. */
async function removeOthers(folder: string, wanted: ReadonlyMap<BytePath, CopyEntry>): Promise<void> {
  const folders = new Set([...wanted.keys()].flatMap(foldersAbove));
  const clear = async (at: BytePath): Promise<void> => {
    const names = await readdir(at === '' ? Buffer.from(folder) : bytesBelow(folder, at), {
      encoding: 'buffer',
    });
    for (const name of names) {
      const path = at === '' ? toBytePath(name) : `${at}/${toBytePath(name)}`;
      if (path === '.git') continue;
      const found = await lstat(bytesBelow(folder, path));
      if (found.isDirectory() && folders.has(path)) await clear(path);
      else if (found.isDirectory() || !wanted.has(path)) {
        await removeTree(bytesBelow(folder, path));
      }
    }
  };
  await clear('');
}

function foldersAbove(path: BytePath): readonly BytePath[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}
