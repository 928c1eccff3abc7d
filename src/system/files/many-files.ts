/**
 * Writes, links and removes many files in few folders. Each folder is opened once and held, so that no link on the way
 * is followed. Nothing is synced: a power loss may take these files.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  futimesSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  type Stats,
} from 'node:fs';
import { randomInt } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { hasCode, orNull } from '../../errors/has-code.ts';
import { systemCodeOf } from './fault.ts';
import type { Place } from './place.ts';
import { holdFolder, inNewFolder, type HeldFolder } from './in-folder.ts';
import { openRegular } from './read.ts';
import { writeAll } from './write.ts';

export interface ManyFiles {
  /** Writes a file completely or not at all, in place of one of that name. The folder is created if it is missing. */
  write(path: string, content: Uint8Array, stamp: FileStamp): void;
  /**
   * Gives a file a second name, or copies it where the disk has no second names left or is another one.
   * @throws the system's EEXIST, ENOENT
   */
  link(path: string, existing: string, stamp: FileStamp): 'linked' | 'copied';
  /** Returns the facts of an entry; null if there is none. */
  facts(path: string): Stats | null;
  /** Removes a file; accepts a missing one. */
  remove(path: string): void;
  /** Removes a folder if it is empty; accepts a missing one. */
  removeEmpty(folder: string): void;
  /** Closes the folders that are held. Call it when one of them was moved or removed by other means, and at the end. */
  release(): void;
}

/** A file's mode and time, which reveal a change to it. */
export interface FileStamp {
  readonly mode: number;
  /** Seconds since 1970. */
  readonly modified: number;
}

export interface ManyFilesOptions {
  /** Default: the system's own. */
  readonly linkFile?: typeof linkSync;
  readonly openFolder?: typeof holdFolder;
}

/** The caller releases the result. Its functions throw CollabError `input`, `file`. */
export function openManyFiles({
  linkFile = linkSync,
  openFolder = holdFolder,
}: ManyFilesOptions = {}): ManyFiles {
  const held = new Map<string, HeldFolder>();
  const release = (): void => {
    const folders = [...held.values()];
    held.clear();
    try {
      for (const folder of folders) folder.check();
    } finally {
      for (const folder of folders) folder.close();
    }
  };
  const releaseOldest = (): void => {
    const [oldest] = held;
    if (oldest === undefined) return;
    const [path, folder] = oldest;
    held.delete(path);
    try {
      folder.check();
    } finally {
      folder.close();
    }
  };
  const hold = (path: string): HeldFolder => {
    const known = held.get(path);
    if (known === undefined && held.size >= mostHeld) releaseOldest();
    const folder = known ?? openFolder(path);
    // The last used one is the last one.
    held.delete(path);
    held.set(path, folder);
    return folder;
  };
  /** If the process has too many open files, closes the held folders and tries again. */
  const withRoom = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      const code = systemCodeOf(error);
      if (held.size === 0 || (code !== 'EMFILE' && code !== 'ENFILE')) throw error;
      release();
      return work();
    }
  };
  const holdNew = (path: string): HeldFolder => {
    try {
      return hold(path);
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
      makeIn(holdNew(dirname(path)), path);
      return hold(path);
    }
  };
  const endEntry = (path: string, end: (place: Place) => void): void => {
    const ended = () =>
      withRoom(() => {
        const folder = hold(dirname(path));
        within(folder, () => end(folder.folder.at(basename(path))));
      });
    orNull(ended, 'ENOENT');
  };
  return {
    write(path, content, stamp) {
      for (let tries = 1; ; tries += 1) {
        try {
          return withRoom(() => {
            const folder = holdNew(dirname(path));
            within(folder, () => writeStamped(folder, path, { content, stamp }));
          });
        } catch (error) {
          if (!hasCode(error, 'ENOENT') || tries === mostTries) throw error;
          // Another process removed the folder while it was held.
          release();
        }
      }
    },
    link: (path, existing, stamp) =>
      withRoom(() => {
        // Both are needed at once. Holding the target may hold many folders above it, so the source is held last.
        const target = holdNew(dirname(path));
        const source = hold(dirname(existing));
        const [from, to] = [source.folder.at(basename(existing)), target.folder.at(basename(path))];
        return within(target, () => {
          try {
            linkFile(from, to);
            return 'linked';
          } catch (error) {
            if (!hasCode(error, ...hasNoLinks)) throw error;
          }
          copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
          chmodSync(to, stamp.mode);
          lutimesSync(to, stamp.modified, stamp.modified);
          return 'copied';
        });
      }),
    facts: (path) =>
      orNull(
        () =>
          withRoom(
            () => lstatSync(hold(dirname(path)).folder.at(basename(path)), { throwIfNoEntry: false }) ?? null,
          ),
        'ENOENT',
      ),
    remove: (path) => endEntry(path, unlinkSync),
    removeEmpty(path) {
      held.get(path)?.close();
      held.delete(path);
      endEntry(path, rmdirSync);
    },
    release,
  };
}

/**
 * Moves an entry to a new path, which must not exist, and whose folder is created if it is missing. Returns false if
 * the entry is gone, or is on another disk. @throws CollabError `input`, `file`
 */
export function moveEntry(path: string, to: string): boolean {
  const target = inNewFolder(dirname(to), () => holdFolder(dirname(to)));
  try {
    const source = holdFolder(dirname(path));
    try {
      renameSync(source.folder.at(basename(path)), target.folder.at(basename(to)));
      return true;
    } finally {
      source.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EXDEV', 'ENOTEMPTY', 'EEXIST')) return false;
    throw target.fault(error);
  } finally {
    target.close();
  }
}

function within<Result>(folder: HeldFolder, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw folder.fault(error);
  }
}

/** Not synced, unlike `makeFolder`: a tree has many folders. */
function makeIn({ folder, fault }: HeldFolder, path: string): void {
  try {
    mkdirSync(folder.at(basename(path)), { mode: 0o700 });
  } catch (error) {
    // Another process made it.
    if (!hasCode(error, 'EEXIST')) throw fault(error);
  }
}

function writeStamped(
  { folder }: HeldFolder,
  path: string,
  { content, stamp }: { readonly content: Uint8Array; readonly stamp: FileStamp },
): void {
  const prepared = folder.at(`.${process.pid}-${randomInt(2 ** 47)}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const descriptor = openRegular(prepared, path, flags, stamp.mode);
  try {
    try {
      writeAll(descriptor, content);
      futimesSync(descriptor, stamp.modified, stamp.modified);
    } finally {
      closeSync(descriptor);
    }
    renameSync(prepared, folder.at(basename(path)));
  } catch (error) {
    rmSync(prepared, { force: true });
    throw error;
  }
}

/** Attempts to write a file whose folder another process removes. */
const mostTries = 5;

/** More than the folders of all blobs, and few enough for three users in a process that may have 1,024 files open. */
const mostHeld = 300;

/** Another disk, too many names of one file, a disk or a rule of the system without second names. */
const hasNoLinks = ['EXDEV', 'EMLINK', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'] as const;
