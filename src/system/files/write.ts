/** Writes that are on the disk when they return, through no link, and over regular files only. */
import { randomInt } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileFault, kindInWords, lookAt, oddKind } from './fault.ts';
import { inFolder, type OpenFolder } from './in-folder.ts';
import { openRegular } from './read.ts';

type Content = string | Uint8Array;

/** Writes completely or not at all, as seen by other readers of `path`; mode 0600. @throws CollabError `input`, `file` */
export function writeAtomically(path: string, content: Content): void {
  inFolder(dirname(path), (folder) => {
    refuseOdd(folder, path);
    const publish = (prepared: string): void => renameSync(prepared, folder.at(basename(path)));
    prepare(folder, path, { content, synced: true, publish });
    folder.sync();
  });
}

/**
 * Writes a new file, completely or not at all; `synced: false` for a file that a power loss may take.
 * @throws CollabError `input`, `file`; the system's EEXIST if the path exists, even as a link
 */
export function writeNew(path: string, content: Content, { synced = true } = {}): void {
  inFolder(dirname(path), (folder) => {
    const publish = (prepared: string): void => linkSync(prepared, folder.at(basename(path)));
    prepare(folder, path, { content, synced, publish });
    if (synced) folder.sync();
  });
}

/** Removes a file, a link or a folder with its contents; follows no link and accepts a missing path. */
export function remove(path: string): void {
  try {
    inFolder(dirname(path), ({ at }) => rmSync(at(basename(path)), { recursive: true, force: true }));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

export interface AppendedFile {
  readonly descriptor: number;
  /**
   * Uses one `write()`, unless the system accepts only a part. After a failure, the next call cuts off the
   * written part.
   * @throws CollabError `file`
   */
  append(text: string): void;
  /** @throws CollabError `file` */
  sync(): void;
  /** Cuts off everything after this size. */
  truncate(bytes: number): void;
  close(): void;
}

/**
 * Opens a file for appending lines; creates it if it is missing, mode 0600.
 * @throws CollabError `input`, `file`
 */
export function openToAppend(path: string): AppendedFile {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  const descriptor = inFolder(dirname(path), ({ at, sync }) => {
    const opened = openRegular(at(basename(path)), path, flags);
    sync();
    return opened;
  });
  const facts = fstatSync(descriptor);
  if (facts.nlink > 1) {
    closeSync(descriptor);
    throw oddKind(path, 'a file with a second name elsewhere');
  }
  let { size } = facts;
  let isTorn = false;
  const guarded = (use: () => void): void => {
    try {
      use();
    } catch (error) {
      throw fileFault(error, path);
    }
  };
  return {
    descriptor,
    append: (text) =>
      guarded(() => {
        const bytes = Buffer.from(text);
        // The part that was written before the disk was full would run into the next line.
        if (isTorn) ftruncateSync(descriptor, size);
        isTorn = true;
        writeAll(descriptor, bytes);
        isTorn = false;
        size += bytes.length;
      }),
    sync: () => guarded(() => fdatasyncSync(descriptor)),
    truncate: (bytes) =>
      guarded(() => {
        ftruncateSync(descriptor, bytes);
        size = bytes;
      }),
    close: () => closeSync(descriptor),
  };
}

/** @throws the system's error */
export function writeAll(descriptor: number, content: Content): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}

/** A rename replaces a link instead of following it, but must not replace the user's device or folder. */
function refuseOdd(folder: OpenFolder, path: string): void {
  const facts = lookAt(folder.at(basename(path)));
  const kind = facts === null ? null : kindInWords(facts);
  if (kind !== null) throw oddKind(path, kind);
}

interface Preparation {
  readonly content: Content;
  readonly synced: boolean;
  readonly publish: (prepared: string) => void;
}

function prepare(folder: OpenFolder, path: string, { content, synced, publish }: Preparation): void {
  const prepared = folder.at(`.${basename(path).slice(0, 100)}.${process.pid}.${randomInt(2 ** 47)}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const descriptor = openRegular(prepared, path, flags);
  try {
    try {
      writeAll(descriptor, content);
      if (synced) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    publish(prepared);
  } catch (error) {
    throw fileFault(error, path);
  } finally {
    rmSync(prepared, { force: true });
  }
}
