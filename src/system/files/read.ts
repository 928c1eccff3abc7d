/** Reads regular files, with no link on the way or at the end. A pipe instead of a file is an error, not a wait. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { codeOf, fileFault, kindInWords, oddKind } from './fault.ts';
import { inFolder, realPlace } from './in-folder.ts';

/** @throws CollabError `input`, `file`; the system's ENOENT if there is none */
export function readBytes(path: string): Buffer {
  return withFile(path, (descriptor) => readFileSync(descriptor));
}

/** Reads UTF-8. @throws CollabError `input`, `file`; the system's ENOENT if there is none */
export function readText(path: string): string {
  return readBytes(path).toString('utf8');
}

/** Opens for reading. The caller closes the descriptor. @throws CollabError `input`, `file`; the system's ENOENT */
export function openToRead(path: string): number {
  return inFolder(dirname(path), ({ at }) => openRegular(at(basename(path)), path, constants.O_RDONLY));
}

/** Returns the facts of a regular file; null if there is none or it is something else. */
export function factsOf(path: string): Stats | null {
  try {
    return withFile(path, (descriptor) => fstatSync(descriptor));
  } catch {
    return null;
  }
}

/**
 * Opens a file that the user names, following the links on its way, which are the user's. A pipe is read to
 * its end, but only if a writer has it open by then: `<(git diff)`, not a stray pipe.
 */
export function openNamed(path: string, name: string): number {
  const place = isStream(path) ? path : realPlace(path);
  const flags = isStream(path) ? constants.O_RDONLY : constants.O_RDONLY | nonBlocking;
  const descriptor = opened(place, name, flags);
  const facts = fstatSync(descriptor);
  if (facts.isFile() || isStream(path)) return descriptor;
  closeSync(descriptor);
  throw new CollabError('input', `${name} is ${kindInWords(facts)}, not a file`, {
    hint: 'Name a file, or - for standard input.',
    details: { file: path },
  });
}

/** Reads the whole file. @throws CollabError `input`, `file`; the system's ENOENT */
export function readNamed(path: string, name: string): Buffer {
  const descriptor = openNamed(path, name);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns whether the shell made this path: `/dev/fd/63`, `/dev/stdin`. */
function isStream(path: string): boolean {
  return /^\/(?:dev\/(?:fd\/\d+|std(?:in|out|err))|proc\/self\/fd\/\d+)$/.test(path);
}

/** 0 on Windows, which has no such pipes or links. */
const nonBlocking = constants.O_NONBLOCK ?? 0;
const noFollow = constants.O_NOFOLLOW ?? 0;

/** Checks after opening: a path checked before could have been replaced since. */
export function openRegular(place: string, path: string, flags: number, mode = 0o600): number {
  const descriptor = opened(place, path, flags | nonBlocking | noFollow, mode);
  const kind = kindInWords(fstatSync(descriptor));
  if (kind === null) return descriptor;
  closeSync(descriptor);
  throw oddKind(path, kind);
}

function opened(place: string, path: string, flags: number, mode?: number): number {
  try {
    return openSync(place, flags, mode);
  } catch (error) {
    const doing = (flags & (constants.O_WRONLY | constants.O_RDWR)) === 0 ? 'read' : 'written';
    if (codeOf(error) === 'ELOOP') throw oddKind(path, 'a link');
    if (codeOf(error) === 'ENXIO') throw oddKind(path, 'a pipe or a socket');
    if (codeOf(error) === 'EISDIR') throw oddKind(path, 'a folder');
    throw fileFault(error, path, doing);
  }
}

function withFile<Result>(path: string, use: (descriptor: number) => Result): Result {
  const descriptor = openToRead(path);
  try {
    return use(descriptor);
  } catch (error) {
    throw fileFault(error, path, 'read');
  } finally {
    closeSync(descriptor);
  }
}
