/** Turns the system's refusals to read or write a file into sentences for the person who can fix the cause. */
import { lstatSync, type Stats } from 'node:fs';
import { CollabError } from '../../errors/collab-error.ts';
import { codeOf } from '../../errors/has-code.ts';
import type { Place } from './place.ts';

interface Refusal {
  readonly what: string;
  readonly hint: string;
}

/** The fault may come before there is a run. */
const againHint = 'then start again: collab resume continues a run that had started';
const spaceHint = `Free disk space, ${againHint}.`;
const descriptorHint = `Close programs or raise the limit (ulimit -n), ${againHint}.`;
const permissionHint = 'Change its permissions, or name another place.';

/**
 * Keyed by the system's code. A missing or existing file is not a fault: callers handle ENOENT and EEXIST themselves.
 */
const refusals: Readonly<Record<string, Refusal>> = {
  ENOSPC: { what: 'the disk is full', hint: spaceHint },
  EDQUOT: { what: 'the disk quota is used up', hint: spaceHint },
  EFBIG: {
    what: 'the file would be larger than the system allows',
    hint: `Raise the limit (ulimit -f), ${againHint}.`,
  },
  EMFILE: { what: 'this process has too many open files', hint: descriptorHint },
  ENFILE: { what: 'the system has too many open files', hint: descriptorHint },
  EROFS: { what: 'the file system is read-only', hint: 'Name a writable place.' },
  EACCES: { what: 'permission denied', hint: permissionHint },
  EPERM: { what: 'the system does not permit it', hint: permissionHint },
  ENAMETOOLONG: { what: 'the name is too long', hint: 'Name a shorter path.' },
  EIO: { what: 'the disk reports an error', hint: 'Check the disk before you continue.' },
  ENXIO: {
    what: 'it is a pipe that no process reads, or a device that is not there',
    hint: 'Start its reader first.',
  },
};

const movedHint = 'Another process may have moved it. Leave it alone while collab works, then start again.';

/** Errors that no caller handled, by code: something changed the path while collab worked. */
const changes: Readonly<Record<string, Refusal>> = {
  ENOENT: { what: 'it, or a folder above it, is missing', hint: movedHint },
  ENOTDIR: { what: 'a part of its path is not a folder', hint: movedHint },
  ELOOP: { what: 'a part of its path is a link', hint: movedHint },
};

/** Returns the error to throw: one with the path and a hint, or the same one if the system's code is not in the table. */
export function fileFault(
  error: unknown,
  path: Place,
  doing: 'read' | 'written' | 'opened' = 'written',
): unknown {
  return faultBy(refusals, error, path, doing) ?? error;
}

function faultBy(
  table: Readonly<Record<string, Refusal>>,
  error: unknown,
  path: Place,
  doing: 'read' | 'written' | 'opened',
): CollabError | null {
  const code = codeOf(error);
  const refusal = code === null ? undefined : table[code];
  if (refusal === undefined) return null;
  return new CollabError('file', `${String(path)} cannot be ${doing}: ${refusal.what}`, {
    hint: refusal.hint,
    details: { file: String(path), system_code: code },
    cause: error,
  });
}

/**
 * The same for an error that no caller handled; null if the file system did not cause it. A missing path is a fault here,
 * because another process took it away. A program that cannot be started is not.
 */
export function fileFaultOf(error: unknown): CollabError | null {
  if (!(error instanceof Error) || !('syscall' in error) || typeof error.syscall !== 'string') return null;
  if (error.syscall.startsWith('spawn')) return null;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null;
  const table = path === null ? refusals : { ...refusals, ...changes };
  return faultBy(table, error, path ?? 'a file', deeds[error.syscall] ?? 'written');
}

const deeds: Readonly<Record<string, 'read' | 'opened'>> = {
  open: 'opened',
  lstat: 'read',
  read: 'read',
  readlink: 'read',
  realpath: 'read',
  scandir: 'read',
  stat: 'read',
};

/** Returns the system's code of an error, also of one that this folder has put into words; null if it has none. */
export function systemCodeOf(error: unknown): string | null {
  const code = error instanceof CollabError ? error.details['system_code'] : codeOf(error);
  return typeof code === 'string' ? code : null;
}

/** Builds the error for a path that holds the wrong kind of entry. */
export function oddKind(path: Place, found: string): CollabError {
  return new CollabError('input', `${String(path)} is ${found}; nothing is read or written through it`, {
    hint: 'Name another path, or move this one away; collab did not create it.',
    details: { file: String(path) },
  });
}

/** Describes the kind in words, such as `a link`; null for a regular file. */
export function kindInWords(facts: Stats): string | null {
  if (facts.isFile()) return null;
  if (facts.isSymbolicLink()) return 'a link';
  if (facts.isDirectory()) return 'a folder';
  if (facts.isFIFO()) return 'a pipe';
  if (facts.isSocket()) return 'a socket';
  return 'a device';
}

/** Returns null if nothing is there, or nothing that may be read. */
export function lookAt(path: Place): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
