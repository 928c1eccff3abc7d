/** Writes that are on the disk when they return, through no link, and over regular files only. */
import { randomInt } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  renameSync,
  rmSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { orNull } from '../../errors/has-code.ts';
import { fileFault, kindInWords, lookAt, oddKind } from './fault.ts';
import { inFolder, type OpenFolder } from './in-folder.ts';
import { folderOf, nameOf, type Place } from './place.ts';
import { openRegular } from './read.ts';

export type Content = string | Uint8Array;

interface WriteOptions {
  /** Default true; false for a file that is written again after a power loss. */
  readonly synced?: boolean;
  /** Default false: mode 0600. True: the mode of the file that is replaced, or the user's default for a new one. */
  readonly shared?: boolean;
}

/** Writes completely or not at all, as seen by other readers of `path`. @throws CollabError `input`, `file` */
export function writeAtomically(
  path: Place,
  content: Content,
  { synced = true, shared = false }: WriteOptions = {},
): void {
  inFolder(folderOf(path), (folder) => {
    const replaced = lookAt(folder.at(nameOf(path)));
    refuseOdd(replaced, path);
    const publish = (prepared: Place): void => renameSync(prepared, folder.at(nameOf(path)));
    const mode = shared ? 0o666 : 0o600;
    prepare(folder, path, { content, synced, publish, mode, kept: shared ? replaced : null });
    if (synced) folder.sync();
  });
}

/**
 * Writes a new file, completely or not at all; `synced: false` for a file that a power loss may take.
 * @throws CollabError `input`, `file`; the system's EEXIST if the path exists, even as a link
 */
export function writeNew(path: Place, content: Content, { synced = true, mode = 0o600 } = {}): void {
  inFolder(folderOf(path), (folder) => {
    const publish = (prepared: Place): void => linkSync(prepared, folder.at(nameOf(path)));
    prepare(folder, path, { content, synced, publish, mode, kept: null });
    if (synced) folder.sync();
  });
}

/** Removes a file, a link or a folder with its contents; follows no link and accepts a missing path. */
export function remove(path: Place): void {
  const removal = () =>
    inFolder(folderOf(path), ({ at }) => rmSync(at(nameOf(path)), { recursive: true, force: true }));
  orNull(removal, 'ENOENT');
}

export interface AppendedFile {
  readonly descriptor: number;
  /**
   * Uses one `write()`, unless the system accepts only a part. After a failure, the next call cuts off the
   * written part.
   * @throws CollabError `file`
   */
  append(text: string): void;
  /** Makes the file and its name durable. @throws CollabError `file` */
  sync(): void;
  /** Cuts off everything after this size. */
  truncate(bytes: number): void;
  close(): void;
}

/**
 * Opens a file for appending lines; creates it if it is missing, mode 0600.
 * @throws CollabError `input`, `file`
 */
export function openToAppend(path: Place): AppendedFile {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  let isNamed = true;
  const descriptor = inFolder(folderOf(path), ({ at }) => {
    isNamed = lookAt(at(nameOf(path))) !== null;
    return openRegular(at(nameOf(path)), path, flags);
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
  /** The part that was written before the disk was full would run into the next line. */
  const cutOff = (): void => {
    ftruncateSync(descriptor, size);
    isTorn = false;
  };
  return {
    descriptor,
    append: (text) =>
      guarded(() => {
        const bytes = Buffer.from(text);
        if (isTorn) cutOff();
        isTorn = true;
        try {
          writeAll(descriptor, bytes);
        } catch (error) {
          cutOff();
          throw error;
        }
        isTorn = false;
        size += bytes.length;
      }),
    sync: () =>
      guarded(() => {
        fdatasyncSync(descriptor);
        // Without its name in the folder, a new file is lost with the power.
        if (!isNamed) inFolder(folderOf(path), (folder) => folder.sync());
        isNamed = true;
      }),
    truncate: (bytes) =>
      guarded(() => {
        ftruncateSync(descriptor, bytes);
        size = bytes;
      }),
    close: () => closeSync(descriptor),
  };
}

/** Appends one line to a file; creates it if it is missing, mode 0600. @throws CollabError `input`, `file` */
export function appendLine(path: Place, line: string): void {
  const file = openToAppend(path);
  try {
    file.append(`${line}\n`);
  } finally {
    file.close();
  }
}

/** @throws the system's error */
export function writeAll(descriptor: number, content: Content): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}

/** A rename replaces a link instead of following it, but must not replace the user's device or folder. */
function refuseOdd(facts: Stats | null, path: Place): void {
  const kind = facts === null ? null : kindInWords(facts);
  if (kind !== null) throw oddKind(path, kind);
}

interface Preparation {
  readonly content: Content;
  readonly synced: boolean;
  readonly publish: (prepared: Place) => void;
  readonly mode: number;
  /** The file whose exact mode the new one gets. */
  readonly kept: Stats | null;
}

function prepare(folder: OpenFolder, path: Place, preparation: Preparation): void {
  const { content, synced, publish, mode, kept } = preparation;
  const name = String(nameOf(path)).slice(0, 100);
  const prepared = folder.at(`.${name}.${process.pid}.${randomInt(2 ** 47)}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const descriptor = openRegular(prepared, path, flags, mode);
  try {
    try {
      writeAll(descriptor, content);
      if (kept !== null) fchmodSync(descriptor, kept.mode & 0o7777);
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
