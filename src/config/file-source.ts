/** The source of configuration and standing instructions: files on the disk or in a commit. */
import { lstat } from 'node:fs/promises';
import { CollabError } from '../errors/collab-error.ts';
import { hasCode } from '../errors/has-code.ts';
import { lookAt } from '../system/files/fault.ts';
import { namesIn, readBeginning } from '../system/files/read.ts';

export interface FileSource {
  /**
   * Reads a text file by its absolute path; null if it does not exist. `name` is its name in messages.
   * @throws CollabError `config` if it is not a file, is too large or cannot be read
   */
  readonly read: (path: string, name: string, mostBytes: number) => Promise<string | null>;
  /** Returns true if the path is a link, which could lead to any file of the machine. */
  readonly isLink: (path: string) => Promise<boolean>;
  /** Returns the names in a folder, by its absolute path; none if it does not exist. */
  readonly list: (folder: string) => Promise<readonly string[]>;
}

export const filesOnDisk: FileSource = {
  read: readFromDisk,
  isLink,
  list: async (folder) => namesIn(folder),
};

async function readFromDisk(path: string, name: string, mostBytes: number): Promise<string | null> {
  const bytes = bytesOnDisk(path, name, mostBytes + 1);
  if (bytes === null) return null;
  if (bytes.length > mostBytes) throw tooLarge(name, mostBytes);
  return bytes.toString('utf8');
}

/** A file that cannot even be seen, as in another user's home, counts as missing. */
function bytesOnDisk(path: string, name: string, mostBytes: number): Buffer | null {
  try {
    return readBeginning(path, mostBytes, name);
  } catch (cause) {
    if (hasCode(cause, 'ENOENT', 'ENOTDIR') || lookAt(path) === null) return null;
    if (!(cause instanceof CollabError)) throw new CollabError('config', `${name} cannot be read`, { cause });
    throw new CollabError('config', cause.message, {
      ...(cause.hint === null ? {} : { hint: cause.hint }),
      details: cause.details,
      cause,
    });
  }
}

async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isSymbolicLink() === true;
}

export function tooLarge(name: string, mostBytes: number): CollabError {
  return new CollabError('config', `${name} is larger than ${mostBytes / 1024} KiB`);
}

export const noFiles: FileSource = {
  read: () => Promise.resolve(null),
  isLink: () => Promise.resolve(false),
  list: () => Promise.resolve([]),
};
