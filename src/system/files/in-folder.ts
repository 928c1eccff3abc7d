/**
 * Holds a folder open while something in it is read or written, so that replacing it with a link meanwhile has no
 * effect. A path counts only if it is its own real path: no link on the way is followed. For paths that the user
 * controls (the working folder, HOME), the caller first resolves links once, with `realPlace`.
 */
import { closeSync, constants, fsyncSync, mkdirSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode } from '../../errors/has-code.ts';
import { fileFault, kindInWords, lookAt, oddKind } from './fault.ts';
import { below, folderOf, nameOf, type Place } from './place.ts';

export interface OpenFolder {
  /** Returns the path by which the system finds an entry of exactly this folder, wherever its path leads by now. */
  readonly at: (name: Place) => Place;
  /** Makes the folder's entries durable. */
  readonly sync: () => void;
}

/**
 * Runs `use` on the open folder.
 * @throws CollabError `input` for a link on the way, `file` for what the system refuses; otherwise the
 * system's error
 */
export function inFolder<Result>(path: Place, use: (folder: OpenFolder) => Result): Result {
  const held = holdFolder(path);
  try {
    const result = use(held.folder);
    held.check();
    return result;
  } catch (error) {
    throw held.fault(error);
  } finally {
    held.close();
  }
}

/** The same for work that takes longer than a moment. @throws CollabError `input`, `file`; the system's error */
export async function whileInFolder<Result>(
  path: Place,
  use: (folder: OpenFolder) => Promise<Result>,
): Promise<Result> {
  const held = holdFolder(path);
  try {
    const result = await use(held.folder);
    held.check();
    return result;
  } catch (error) {
    throw held.fault(error);
  } finally {
    held.close();
  }
}

interface FolderOptions {
  /** Default: 0o700. */
  readonly mode?: number;
  /** Default true; false for a folder that is created again after a power loss. */
  readonly synced?: boolean;
}

/** Creates the folder and missing ones above it. Returns true if it was missing. */
export function makeFolder(path: Place, options: FolderOptions = {}): boolean {
  const folder = absolute(path);
  try {
    return makeOne(folder, options);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    makeFolder(folderOf(folder), options);
    // Tried only once more: below /proc, a missing entry is an error even if its folder exists.
    return makeOne(folder, options);
  }
}

function makeOne(folder: Place, { mode = 0o700, synced = true }: FolderOptions): boolean {
  const parent = folderOf(folder);
  if (parent.length === folder.length) return false;
  try {
    inFolder(parent, ({ at, sync }) => {
      mkdirSync(at(nameOf(folder)), { mode });
      if (synced) sync();
    });
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    inFolder(folder, () => {});
    return false;
  }
}

/**
 * Creates the folder for some work in it, and again if another process removes it during the work. @throws as
 * `makeFolder`
 */
export function inNewFolder<Result>(path: Place, work: () => Result): Result {
  for (let tries = 1; ; tries += 1) {
    try {
      makeFolder(path);
      return work();
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || tries === mostTries) throw error;
    }
  }
}

const mostTries = 5;

/** Resolves a path's links as far as the path exists. */
export function realPlace(path: string): string {
  const place = resolve(path);
  try {
    return realpathSync.native(place);
  } catch {
    const parent = dirname(place);
    return parent === place ? place : join(realPlace(parent), basename(place));
  }
}

export interface HeldFolder {
  readonly folder: OpenFolder;
  /** Without /proc, checks the name once more. @throws CollabError `input` */
  readonly check: () => void;
  /** Converts an error of work in the folder to the one to throw. */
  readonly fault: (error: unknown) => unknown;
  readonly close: () => void;
}

/** Opens a folder for work in several steps. The caller closes it. @throws CollabError `input`, `file` */
export function holdFolder(path: Place): HeldFolder {
  const folder = absolute(path);
  // Windows cannot open a folder; NTFS journals the entry itself.
  if (process.platform === 'win32') return holding(folder, null);
  const descriptor = openFolder(folder);
  try {
    return holding(folder, descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw fileFault(error, folder);
  }
}

function holding(folder: Place, descriptor: number | null): HeldFolder {
  const handle = `/proc/self/fd/${descriptor}`;
  const real = descriptor === null ? null : realOfHandle(handle);
  const check = (): void => {
    if (!(real ?? realpathSync.native(folder, 'buffer')).equals(Buffer.from(folder)))
      throw hasMoved(folder) ? missing(folder) : throughLink(folder);
  };
  check();
  return {
    folder: {
      at: (name) => below(real === null ? folder : handle, name),
      sync: () => {
        if (descriptor !== null) fsyncSync(descriptor);
      },
    },
    check: real === null ? check : () => {},
    fault: (error) => fileFault(withoutHandle(error, folder), folder),
    close: () => {
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}

function absolute(path: Place): Place {
  return typeof path === 'string' || process.platform === 'win32' ? resolve(String(path)) : path;
}

function openFolder(folder: Place): number {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, 'ENOTDIR', 'ELOOP')) throw notAFolder(folder);
    throw fileFault(error, folder);
  }
}

/** The folder itself may be missing because one above it is a file. */
function notAFolder(folder: Place): Error {
  for (let at = folder, above = folderOf(at); ; at = above, above = folderOf(at)) {
    const facts = lookAt(at);
    if (facts?.isDirectory() === false)
      return oddKind(at, kindInWords(facts) ?? 'a file instead of a folder');
    if (facts !== null || above.length === at.length) return throughLink(folder);
  }
}

function throughLink(folder: Place): Error {
  return oddKind(folder, 'reached through a link');
}

/** Returns true if the folder was moved or removed after it was opened; its path may be another folder's now. */
function hasMoved(folder: Place): boolean {
  try {
    return realpathSync.native(folder, 'buffer').equals(Buffer.from(folder));
  } catch (error) {
    return hasCode(error, 'ENOENT');
  }
}

function missing(folder: Place): Error {
  const path = String(folder);
  const message = `ENOENT: no such file or directory, open '${path}'`;
  return Object.assign(new Error(message), { code: 'ENOENT', syscall: 'open', path });
}

function realOfHandle(handle: string): Buffer | null {
  try {
    return readlinkSync(handle, 'buffer');
  } catch {
    return null;
  }
}

/** Replaces the internal path with the folder's name, which a person knows. */
function withoutHandle(error: unknown, folder: Place): unknown {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return error;
  const named = /^\/proc\/self\/fd\/\d+/;
  const path = error.path.replace(named, String(folder));
  return Object.assign(error, { path, message: error.message.replace(error.path, path) });
}
