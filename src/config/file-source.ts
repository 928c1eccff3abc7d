/** The source of configuration and standing instructions: files on the disk or in a commit. */
import { lstat, readFile, stat } from 'node:fs/promises';
import { CollabError } from '../errors/collab-error.ts';

export interface FileSource {
  /**
   * Reads a text file by its absolute path; null if it does not exist. `name` is its name in messages.
   * @throws CollabError `config` if it is not a file, is too large or cannot be read
   */
  readonly read: (path: string, name: string, mostBytes: number) => Promise<string | null>;
  /** Returns whether the path is a link, which could lead to any file of the machine. */
  readonly isLink: (path: string) => Promise<boolean>;
}

export const filesOnDisk: FileSource = { read: readFromDisk, isLink };

async function readFromDisk(path: string, name: string, mostBytes: number): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isFile()) throw new CollabError('config', `${name} is not a file`);
  if (found.size > mostBytes) throw tooLarge(name, mostBytes);
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CollabError('config', `${name} cannot be read`, { cause });
  });
}

async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isSymbolicLink() === true;
}

export function tooLarge(name: string, mostBytes: number): CollabError {
  return new CollabError('config', `${name} is larger than ${mostBytes / 1024} KiB`);
}
