/** Writes one path of the user's tree completely or not at all. */
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { lookAt } from '../../system/files/fault.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { folderOf } from '../../system/files/place.ts';
import {
  createFile,
  createLink,
  removeEmptyFolder,
  removeFile,
  rename,
  setMode,
} from '../../system/files/tree.ts';
import { remove } from '../../system/files/write.ts';
import type { CopyEntry } from '../working-copy/entries.ts';
import { bytesBelow, type BytePath } from '../working-copy/paths.ts';

export interface WrittenPath {
  readonly path: BytePath;
  readonly before: CopyEntry | null;
  readonly after: CopyEntry;
  readonly content: Buffer;
}

/** Links are replaced, never written through: the parent folders were checked. */
export async function writePath(root: string, written: WrittenPath): Promise<void> {
  const { path, after, content } = written;
  const target = bytesBelow(root, path);
  const unfinished = bytesBelow(root, unfinishedPath(path));
  makeFolder(folderOf(target), { mode: 0o777 });
  // Left behind by an apply that was killed.
  remove(unfinished);
  try {
    if (after.kind === 'symlink') createLink(unfinished, content);
    else writeBeside(unfinished, target, written);
    await removeEmptyFolders(target);
    rename(unfinished, target);
  } finally {
    remove(unfinished);
  }
}

/** Removes empty parent folders together with their last file, as git does. */
export function removePath(root: string, path: BytePath): void {
  removeFile(bytesBelow(root, path));
  for (let at = parentOf(path); at !== ''; at = parentOf(at)) {
    try {
      removeEmptyFolder(bytesBelow(root, at));
    } catch {
      // The folder still has other content.
      return;
    }
  }
}

/** The same name in every attempt, so that the next one finds the leftovers of the last one. */
export function unfinishedPath(path: BytePath): BytePath {
  const mark = createHash('sha256').update(path, 'latin1').digest('hex').slice(0, 16);
  const parent = parentOf(path);
  return `${parent === '' ? '' : `${parent}/`}.collab-apply-${mark}`;
}

/** A file keeps its permissions; the executable bit changes only if the run changed it. */
function writeBeside(unfinished: Buffer, target: Buffer, { before, after, content }: WrittenPath): void {
  const present = lookAt(target);
  createFile(unfinished, content, 0o666);
  const replaced = present?.isFile() === true ? present : lookAt(unfinished);
  const mode = (replaced?.mode ?? 0o600) & 0o777;
  if (before?.kind === after.kind) return setMode(unfinished, mode);
  const readers = (mode & 0o444) >> 2;
  return setMode(unfinished, after.kind === 'program' ? mode | readers : mode & ~0o111);
}

/** Makes room when the run puts a file in a folder's place: all files of the folder have been removed by now. */
async function removeEmptyFolders(target: Buffer): Promise<void> {
  const found = await lstat(target).catch(() => null);
  if (found?.isDirectory() === true) await removeFoldersIn(target);
}

async function removeFoldersIn(folder: Buffer): Promise<void> {
  for (const name of await readdir(folder, { encoding: 'buffer' })) {
    await removeFoldersIn(Buffer.concat([folder, Buffer.from('/'), name]));
  }
  removeEmptyFolder(folder);
}

function parentOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
