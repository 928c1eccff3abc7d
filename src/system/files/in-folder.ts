/**
 * Holds a folder open while something in it is read or written, so that replacing it with a link meanwhile
 * has no effect. A path counts only if it is its own real path: no link on the way is followed. For paths
 * that are the user's own affair (the working folder, HOME), the caller first resolves links once, with
 * `realPlace`.
 */
import { closeSync, constants, fsyncSync, mkdirSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode } from '../../errors/has-code.ts';
import { codeOf, fileFault, kindInWords, lookAt, oddKind } from './fault.ts';

export interface OpenFolder {
  /** Returns the path by which the system finds an entry of this very folder, wherever the folder's own path leads now. */
  readonly at: (name: string) => string;
  /** Makes the folder's entries durable. */
  readonly sync: () => void;
}

/**
 * Runs `use` on the open folder.
 * @throws CollabError `input` for a link on the way, `file` for what the system refuses; otherwise the
 * system's error
 */
export function inFolder<Result>(path: string, use: (folder: OpenFolder) => Result): Result {
  const folder = resolve(path);
  // Windows cannot open a folder; NTFS journals the entry itself.
  if (process.platform === 'win32') return inNamedFolder(folder, () => {}, use);
  const descriptor = openFolder(folder);
  try {
    const sync = (): void => fsyncSync(descriptor);
    const handle = `/proc/self/fd/${descriptor}`;
    const real = realOfHandle(handle);
    if (real === null) return inNamedFolder(folder, sync, use);
    if (real !== folder) throw throughLink(folder);
    return use({ at: (name) => join(handle, name), sync });
  } catch (error) {
    throw fileFault(withoutHandle(error, folder), folder);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates the folder and missing ones above it. Returns whether it was missing. */
export function makeFolder(path: string, mode = 0o700): boolean {
  const folder = resolve(path);
  const parent = dirname(folder);
  if (parent === folder) return false;
  try {
    inFolder(parent, ({ at, sync }) => {
      mkdirSync(at(basename(folder)), { mode });
      sync();
    });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return isFolder(folder);
    // Below /proc a missing entry is an error even if its folder exists: create one level at a time, each tried once.
    if (!hasCode(error, 'ENOENT') || !makeFolder(parent, mode)) throw error;
    return makeFolder(folder, mode);
  }
}

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

function isFolder(folder: string): false {
  inFolder(folder, () => {});
  return false;
}

function openFolder(folder: string): number {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (['ENOTDIR', 'ELOOP'].includes(codeOf(error))) throw notAFolder(folder);
    throw fileFault(error, folder);
  }
}

function notAFolder(folder: string): Error {
  const facts = lookAt(folder);
  if (facts === null || facts.isDirectory()) return throughLink(folder);
  return oddKind(folder, kindInWords(facts) ?? 'a file where a folder is needed');
}

function throughLink(folder: string): Error {
  return oddKind(folder, 'reached through a link');
}

/** Without /proc, checks the name before and after. */
function inNamedFolder<Result>(
  folder: string,
  sync: () => void,
  use: (folder: OpenFolder) => Result,
): Result {
  const check = (): void => {
    if (realpathSync.native(folder) !== folder) throw throughLink(folder);
  };
  check();
  const result = use({ at: (name) => join(folder, name), sync });
  check();
  return result;
}

function realOfHandle(handle: string): string | null {
  try {
    return readlinkSync(handle);
  } catch {
    return null;
  }
}

/** Replaces the internal path with the folder's name, which a person knows. */
function withoutHandle(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return error;
  const named = /^\/proc\/self\/fd\/\d+/;
  const path = error.path.replace(named, folder);
  return Object.assign(error, { path, message: error.message.replace(error.path, path) });
}
