/**
 * Single entries of folder trees: each has its folder held open, so that no link on the way is followed. Nothing is
 * synced: a tree that a crash leaves half-written is written again by its owner.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  lutimesSync,
  type Stats,
} from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { hasCode } from '../../errors/has-code.ts';
import { fileFault } from './fault.ts';
import { inFolder, whileInFolder } from './in-folder.ts';
import { folderOf, nameOf, type Place } from './place.ts';
import { openRegular, openToRead } from './read.ts';
import { writeAll, type Content } from './write.ts';

/** Creates a file directly under its name. @throws CollabError `input`, `file`; the system's EEXIST */
export function createFile(path: Place, content: Content, mode = 0o600): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const descriptor = inFolder(folderOf(path), ({ at }) => openRegular(at(nameOf(path)), path, flags, mode));
  try {
    writeAll(descriptor, content);
  } catch (error) {
    throw fileFault(error, path);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates one folder; its parent exists. @throws CollabError `input`, `file`; the system's EEXIST */
export function createFolder(path: Place, mode = 0o700): void {
  inFolder(folderOf(path), ({ at }) => mkdirSync(at(nameOf(path)), { mode }));
}

/**
 * Creates a link. `junction` is the only kind of link to a folder that any Windows user may create; other systems ignore
 * the word. @throws CollabError `input`, `file`; the system's EEXIST
 */
export function createLink(path: Place, target: string | Buffer, type?: 'junction'): void {
  inFolder(folderOf(path), ({ at }) => symlinkSync(target, at(nameOf(path)), type));
}

/**
 * Copies a regular file to a new path, sharing its blocks if the disk can.
 * @throws CollabError `input`, `file`; the system's EEXIST, ENOENT
 */
export async function copyRegular(source: Place, target: Place): Promise<void> {
  const opened = openToRead(source);
  try {
    const from = throughDescriptor(opened, source);
    await whileInFolder(folderOf(target), ({ at }) => copyFile(from, at(nameOf(target)), copyFlags));
  } finally {
    closeSync(opened);
  }
}

/** The same, synchronously, for a file that is known to be small. @throws as `copyRegular` */
export function copySmall(source: Place, target: Place): void {
  const opened = openToRead(source);
  try {
    const from = throughDescriptor(opened, source);
    inFolder(folderOf(target), ({ at }) => copyFileSync(from, at(nameOf(target)), copyFlags));
  } finally {
    closeSync(opened);
  }
}

const copyFlags = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

/** The path could have been exchanged for a link since it was opened. */
function throughDescriptor(descriptor: number, path: Place): Place {
  return process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : path;
}

/** Changes the permissions of a file or a folder; not of what a link leads to. @throws CollabError `input`, `file` */
export function setMode(path: Place, mode: number): void {
  inFolder(folderOf(path), ({ at }) => {
    if (!lstatSync(at(nameOf(path))).isSymbolicLink()) chmodSync(at(nameOf(path)), mode);
  });
}

/** Sets the times of a file or a folder. @throws CollabError `input`, `file` */
export function setTimes(path: Place, { atime, mtime }: Pick<Stats, 'atime' | 'mtime'>): void {
  inFolder(folderOf(path), ({ at }) => lutimesSync(at(nameOf(path)), atime, mtime));
}

/** Gives an entry another name in the same folder, replacing a file of that name. @throws CollabError `input`, `file` */
export function rename(path: Place, name: Place): void {
  inFolder(folderOf(path), ({ at }) => renameSync(at(nameOf(path)), at(nameOf(name))));
}

/** Puts a file's content on the disk. @throws CollabError `input`, `file` */
export function syncFile(path: Place): void {
  const descriptor = inFolder(folderOf(path), ({ at }) =>
    openRegular(at(nameOf(path)), path, constants.O_RDWR),
  );
  try {
    fsyncSync(descriptor);
  } catch (error) {
    throw fileFault(error, path);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes a file or a link. @throws CollabError `input`, `file`; the system's ENOENT */
export function removeFile(path: Place): void {
  inFolder(folderOf(path), ({ at }) => unlinkSync(at(nameOf(path))));
}

/** Removes a folder if it is empty. @throws CollabError `input`, `file`; the system's ENOTEMPTY */
export function removeEmptyFolder(path: Place): void {
  inFolder(folderOf(path), ({ at }) => rmdirSync(at(nameOf(path))));
}

/**
 * Removes a file, a link or a folder with its contents; accepts a missing path. Tries again if an agent that is ending
 * still writes into the folder. @throws CollabError `input`, `file`
 */
export async function removeTree(path: Place): Promise<void> {
  try {
    await whileInFolder(folderOf(path), ({ at }) =>
      rm(at(nameOf(path)), { recursive: true, force: true, maxRetries: 5 }),
    );
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
