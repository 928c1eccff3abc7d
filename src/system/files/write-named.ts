/**
 * Writes a file that the user or the configuration names for output. Links on its way are the user's own,
 * except those in a repository, whose author made them. A device or a pipe is written to and not replaced.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { codeOf, hasCode, orNull } from '../../errors/has-code.ts';
import { fileFault, lookAt, oddKind } from './fault.ts';
import { makeFolder, realPlace } from './in-folder.ts';
import { writeAtomically } from './write.ts';

/** The pause between two attempts to write to a pipe with a slow reader, and the number of pauses. */
const pauseMs = 10;
const mostPauses = 3000;
const partBytes = 64 * 1024;

/** Writes a file completely or not at all, and creates missing folders. @throws CollabError `input`, `file` */
export function writeNamed(path: string, content: string): void {
  if (isStream(path)) return writeToStream(path, content);
  const file = placeOfUser(path);
  makeFolder(dirname(file), { mode: 0o777 });
  writeAtomically(file, content);
}

/** Returns true if the path passes its text on to a reader, so that nothing can be replaced later. */
export function isStream(path: string): boolean {
  if (ownDescriptor(path) !== null) return true;
  const facts = lookAt(resolve(path));
  return facts !== null && (facts.isFIFO() || facts.isCharacterDevice() || facts.isBlockDevice());
}

/** @throws CollabError `input` if the path is a descriptor that no other program has passed to this one */
export function requirePassed(path: string): void {
  const own = ownDescriptor(path);
  if (own === null || own <= 2 || isPassed(own)) return;
  throw new CollabError(
    'input',
    `${path} is not open: the program that started collab passed no descriptor ${own}`,
    {
      hint: `Open it in the shell (${own}>file), or name a file.`,
      details: { file: path },
    },
  );
}

/** Node has descriptors of its own: those without a name, and pipes whose other end is in this process, too. */
function isPassed(descriptor: number): boolean {
  try {
    const { ino } = fstatSync(descriptor);
    if (process.platform !== 'linux') return true;
    const target = readlinkSync(`/proc/self/fd/${descriptor}`);
    if (target.startsWith('anon_inode:')) return false;
    return !target.startsWith('pipe:') || !pipesReadHere().includes(ino);
  } catch {
    return false;
  }
}

/** Returns the numbers of the pipes that this process reads. */
function pipesReadHere(): readonly number[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const facts = fstatSync(Number(name));
      const [, flags = ''] =
        /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')) ?? [];
      const writes = Number.parseInt(flags, 8) & (constants.O_WRONLY | constants.O_RDWR);
      return facts.isFIFO() && writes !== constants.O_WRONLY ? [facts.ino] : [];
    } catch {
      // The descriptor of the folder itself is closed.
      return [];
    }
  });
}

/**
 * Opens a pipe for writing if a process reads it or waits for its writer; null if none does. The caller closes the
 * descriptor: until then, the reader waits.
 * @throws the system's error
 */
export function openReadPipe(path: string): number | null {
  const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
  return orNull(() => openSync(path, flags), 'ENXIO');
}

/**
 * Resolves the links of a path that the user names: all, or in a repository only those on the way to it. The writers of
 * files follow none, so that a link made after this look leads nowhere, too.
 * @throws CollabError `input` for a link in a repository
 */
export function placeOfUser(path: string): string {
  const file = resolve(path);
  const folders = foldersAbove(dirname(file));
  const root = folders.findLast(holdsGit);
  if (root === undefined) return join(realPlace(dirname(file)), basename(file));
  const link = folders.slice(0, folders.indexOf(root)).find((folder) => lookAt(folder)?.isSymbolicLink());
  if (link !== undefined) throw oddKind(link, 'a link in a repository');
  return join(realPlace(root), relative(root, file));
}

export function isBelowGit(folder: string): boolean {
  return foldersAbove(folder).some(holdsGit);
}

function holdsGit(folder: string): boolean {
  return existsSync(join(folder, '.git'));
}

/** Begins with the folder itself. */
function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** `/dev/stdout` may be a link to a file that the shell redirects to: opening it again would overwrite it from the start. */
function ownDescriptor(path: string): number | null {
  if (process.platform === 'win32') return null;
  const [, name, number] = /^\/(?:dev\/(std(?:out|err))|(?:dev|proc\/self)\/fd\/(\d+))$/.exec(path) ?? [];
  if (name !== undefined) return name === 'stdout' ? 1 : 2;
  return number === undefined ? null : Number(number);
}

function writeToStream(path: string, content: string): void {
  const own = ownDescriptor(path);
  requirePassed(path);
  try {
    if (own !== null) return writePatiently(own, content);
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
    const descriptor = openSync(path, flags);
    try {
      if (fstatSync(descriptor).isFile()) throw oddKind(path, 'something other than a moment ago');
      writePatiently(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw streamFault(error, path);
  }
}

/** Codes that only a pipe, a socket or a device returns. */
const streamRefusals: Readonly<Record<string, string>> = {
  EAGAIN: 'its reader reads nothing',
  EBADF: 'it is not open for writing',
  EINVAL: 'it takes no text',
  EPIPE: 'its reader has ended',
};

function streamFault(error: unknown, path: string): unknown {
  const what = streamRefusals[codeOf(error) ?? ''];
  if (what === undefined) return fileFault(error, path);
  return new CollabError('file', `${path} cannot be written: ${what}`, {
    hint: 'Name a file, or a pipe with a reader.',
    details: { file: path },
    cause: error,
  });
}

function writePatiently(descriptor: number, content: string): void {
  let rest = Buffer.from(content);
  for (let pauses = 0; rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest, 0, Math.min(rest.length, partBytes)));
    } catch (error) {
      if (!hasCode(error, 'EAGAIN') || (pauses += 1) > mostPauses) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
