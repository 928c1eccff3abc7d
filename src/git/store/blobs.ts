/**
 * The contents of files, each under its id in git: the digest of `blob <size>`, a zero byte and the content. A blob is
 * written once and read-only. Its size, mode and time show whether it was changed since; a changed one is discarded.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { hasCode, orNull } from '../../errors/has-code.ts';
import type { FileStamp, ManyFiles } from '../../system/files/many-files.ts';
import { namesIn, readBytes } from '../../system/files/read.ts';

export interface BlobName {
  readonly blob: string;
  readonly sizeBytes: number;
}

export interface BlobStore {
  readonly folder: string;
  /** Returns the ids of all blobs, whole and unchanged or not. */
  names(): ReadonlySet<string>;
  /** Returns true if the blob is there, whole and unchanged. */
  has(name: BlobName): boolean;
  /** Returns false, and keeps nothing, if the content is not that of the id. @throws CollabError `input`, `file` */
  put(id: string, content: Uint8Array): boolean;
  /** Returns null if the blob is not there or does not have its digest. */
  get(id: string): Buffer | null;
  /**
   * Gives the blob a second name at a path that does not exist: a hard link, or a copy where the disk allows none. Returns
   * false if the blob is not there. @throws the system's EEXIST; CollabError `input`, `file`
   */
  place(name: BlobName, path: string): boolean;
}

/**
 * The stamp of every blob and of every file that is linked to one. The time is in 1980, the earliest that zip files
 * support.
 */
export const blobStamp: FileStamp = { mode: 0o400, modified: 315_532_800 };

/** Returns true for a file as `BlobStore.place` made it. */
export function isUnchanged(facts: ReturnType<ManyFiles['facts']>, sizeBytes: number): boolean {
  return (
    facts?.isFile() === true &&
    facts.size === sizeBytes &&
    facts.mtimeMs === blobStamp.modified * 1000 &&
    (process.platform === 'win32' || (facts.mode & 0o777) === blobStamp.mode)
  );
}

/** `files` is released by the caller. */
export function openBlobs(folder: string, files: ManyFiles): BlobStore {
  const pathOf = (id: string): string => {
    if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(id)) throw new CollabError('internal', `not a blob: ${id}`);
    return join(folder, id.slice(0, 2), id.slice(2));
  };
  const has = ({ blob, sizeBytes }: BlobName): boolean => {
    const facts = files.facts(pathOf(blob));
    if (isUnchanged(facts, sizeBytes)) return true;
    if (facts !== null) files.remove(pathOf(blob));
    return false;
  };
  return {
    folder,
    names: () =>
      new Set(namesIn(folder).flatMap((shard) => namesIn(join(folder, shard)).map((name) => shard + name))),
    has,
    put(id, content) {
      if (idOf(content, id) !== id) return false;
      files.write(pathOf(id), content, blobStamp);
      return true;
    },
    get(id) {
      const content = orNull(() => readBytes(pathOf(id)), 'ENOENT');
      if (content === null || idOf(content, id) === id) return content;
      files.remove(pathOf(id));
      return null;
    },
    place(name, path) {
      if (!has(name)) return false;
      try {
        files.link(path, pathOf(name.blob), blobStamp);
        return true;
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
        // Another process cleaned the store meanwhile, maybe together with the folders that are held.
        files.release();
        return false;
      }
    },
  };
}

/** A SHA-256 repository has longer ids. */
function idOf(content: Uint8Array, like: string): string {
  const digest = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return digest.update(`blob ${content.length}\0`).update(content).digest('hex');
}
