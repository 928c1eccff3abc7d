/** Writes one path of the user's tree completely or not at all. */
import { createHash } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import type { CopyEntry } from '../working-copy/entries.ts';
import { below, type BytePath } from '../working-copy/paths.ts';

export interface WrittenPath {
  readonly path: BytePath;
  readonly before: CopyEntry | null;
  readonly after: CopyEntry;
  readonly content: Buffer;
}

/** Links are replaced, never written through: the parent folders were checked. */
export async function writePath(root: string, written: WrittenPath): Promise<void> {
  const { path, after, content } = written;
  const target = below(root, path);
  const unfinished = below(root, unfinishedPath(path));
  await mkdir(folderOf(target), { recursive: true });
  // Left behind by an apply that was killed.
  await rm(unfinished, { force: true });
  try {
    if (after.kind === 'symlink') await symlink(content, unfinished);
    else await writeBeside(unfinished, target, written);
    await removeEmptyFolders(target);
    await rename(unfinished, target);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Removes empty parent folders together with their last file, as git does. */
export async function removePath(root: string, path: BytePath): Promise<void> {
  await unlink(below(root, path));
  for (let at = parentOf(path); at !== ''; at = parentOf(at)) {
    const emptied = await rmdir(below(root, at)).then(
      () => true,
      // The folder still has other content.
      () => false,
    );
    if (!emptied) return;
  }
}

/** The same name in every attempt, so that the next one finds the leftovers of the last one. */
export function unfinishedPath(path: BytePath): BytePath {
  const mark = createHash('sha256').update(path, 'latin1').digest('hex').slice(0, 16);
  const parent = parentOf(path);
  return `${parent === '' ? '' : `${parent}/`}.collab-apply-${mark}`;
}

/** A file keeps its permissions; the executable bit changes only if the run changed it. */
async function writeBeside(
  unfinished: Buffer,
  target: Buffer,
  { before, after, content }: WrittenPath,
): Promise<void> {
  const present = await lstat(target).catch(() => null);
  await writeFile(unfinished, content, { flag: 'wx' });
  const replaced = present?.isFile() === true ? present : await lstat(unfinished);
  const mode = replaced.mode & 0o777;
  if (before?.kind === after.kind) return chmod(unfinished, mode);
  const readers = (mode & 0o444) >> 2;
  return chmod(unfinished, after.kind === 'program' ? mode | readers : mode & ~0o111);
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
  await rmdir(folder);
}

function parentOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function folderOf(target: Buffer): Buffer {
  return target.subarray(0, target.lastIndexOf('/'));
}
