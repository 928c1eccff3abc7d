/** Reads regular files, with no link on the way or at the end. A pipe instead of a file is an error, not a wait. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
} from 'node:fs';
import { CollabError } from '../../errors/collab-error.ts';
import { hasCode, orNull } from '../../errors/has-code.ts';
import { fileFault, kindInWords, lookAt, oddKind } from './fault.ts';
import { inFolder, realPlace } from './in-folder.ts';
import { folderOf, nameOf, type Place } from './place.ts';

/** @throws CollabError `input`, `file`; the system's ENOENT if there is none */
export function readBytes(path: Place): Buffer {
  return withFile(path, (descriptor) => readFileSync(descriptor));
}

/** Reads UTF-8. @throws CollabError `input`, `file`; the system's ENOENT if there is none */
export function readText(path: Place): string {
  return readBytes(path).toString('utf8');
}

/** Reads UTF-8; returns null if there is no file. @throws CollabError `input`, `file` */
export function readIfThere(path: Place): string | null {
  return orNull(() => readText(path), 'ENOENT');
}

/** Returns the names in a folder; none if there is no such folder. */
export function namesIn(folder: string): readonly string[] {
  if (lookAt(folder)?.isDirectory() !== true) return [];
  return orNull(() => readdirSync(folder), 'ENOENT') ?? [];
}

/** Opens for reading. The caller closes the descriptor. @throws CollabError `input`, `file`; the system's ENOENT */
export function openToRead(path: Place): number {
  return inFolder(folderOf(path), ({ at }) => openRegular(at(nameOf(path)), path, constants.O_RDONLY));
}

/** Opens for reading; returns null if there is no file. @throws CollabError `input`, `file` */
export function openIfThere(path: Place): number | null {
  return orNull(() => openToRead(path), 'ENOENT');
}

/** Returns the facts of a regular file; null if there is none or it is something else. */
export function factsOf(path: Place): Stats | null {
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

/** Reads at most the first bytes of a file, following links. @throws CollabError `input`, `file`; the system's ENOENT */
export function readBeginning(path: string, bytes: number, name = path): Buffer {
  return firstBytes(openNamed(path, name), path, bytes);
}

/** Reads a file that was opened, and closes it. Returns null if it is larger. @throws CollabError `file` */
export function readUpTo(descriptor: number, path: Place, mostBytes: number): Buffer | null {
  const bytes = firstBytes(descriptor, path, mostBytes + 1);
  return bytes.length > mostBytes ? null : bytes;
}

function firstBytes(descriptor: number, path: Place, bytes: number): Buffer {
  try {
    const { size } = fstatSync(descriptor);
    // The size of a pipe is 0. A file may have grown since.
    const head = Buffer.alloc(size === 0 ? bytes : Math.min(bytes, size + 1));
    let filled = 0;
    for (let read = -1; read !== 0 && filled < head.length; filled += read)
      read = readSync(descriptor, head, filled, head.length - filled, null);
    return head.subarray(0, filled);
  } catch (error) {
    throw fileFault(error, path, 'read');
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the whole file, following links. @throws CollabError `input`, `file`; the system's ENOENT */
export function readNamed(path: string, name = path): Buffer<ArrayBuffer> {
  const descriptor = openNamed(path, name);
  try {
    return readFileSync(descriptor);
  } catch (error) {
    throw fileFault(error, path, 'read');
  } finally {
    closeSync(descriptor);
  }
}

/** The same; null if there is no file. @throws CollabError `input`, `file` */
export function readNamedIfThere(path: string): Buffer<ArrayBuffer> | null {
  return orNull(() => readNamed(path), 'ENOENT', 'ENOTDIR');
}

/** Reads UTF-8, following links; null if it cannot be read for any reason. */
export function readIfPossible(path: string): string | null {
  try {
    return readNamed(path).toString('utf8');
  } catch {
    return null;
  }
}

/** Returns true if the shell made this path: `/dev/fd/63`, `/dev/stdin`. */
function isStream(path: string): boolean {
  return /^\/(?:dev\/(?:fd\/\d+|std(?:in|out|err))|proc\/self\/fd\/\d+)$/.test(path);
}

/** 0 on Windows, which has no such pipes or links. */
const nonBlocking = constants.O_NONBLOCK ?? 0;
const noFollow = constants.O_NOFOLLOW ?? 0;

/** Checks after opening: a path checked before could have been replaced since. */
export function openRegular(place: Place, path: Place, flags: number, mode = 0o600): number {
  const descriptor = opened(place, path, flags | nonBlocking | noFollow, mode);
  const kind = kindInWords(fstatSync(descriptor));
  if (kind === null) return descriptor;
  closeSync(descriptor);
  throw oddKind(path, kind);
}

function opened(place: Place, path: Place, flags: number, mode?: number): number {
  try {
    return openSync(place, flags, mode);
  } catch (error) {
    const doing = (flags & (constants.O_WRONLY | constants.O_RDWR)) === 0 ? 'read' : 'written';
    if (hasCode(error, 'ELOOP')) throw oddKind(path, 'a link');
    if (hasCode(error, 'ENXIO')) throw oddKind(path, 'a pipe or a socket');
    if (hasCode(error, 'EISDIR')) throw oddKind(path, 'a folder');
    throw fileFault(error, path, doing);
  }
}

function withFile<Result>(path: Place, use: (descriptor: number) => Result): Result {
  const descriptor = openToRead(path);
  try {
    return use(descriptor);
  } catch (error) {
    throw fileFault(error, path, 'read');
  } finally {
    closeSync(descriptor);
  }
}
