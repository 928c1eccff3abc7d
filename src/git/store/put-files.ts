/** Puts files into a folder, each as a second name of a blob; on the event loop, or in threads (`place-thread.ts`). */
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { hasCode } from '../../errors/has-code.ts';
import { systemCodeOf } from '../../system/files/fault.ts';
import { openManyFiles } from '../../system/files/many-files.ts';
import { openBlobs, type BlobName, type BlobStore } from './blobs.ts';

export interface FileToPut extends BlobName {
  readonly path: string;
  /** The bytes; null if the store has them. */
  readonly content: Uint8Array | null;
}

export type PutResult = 'put' | 'not_in_store' | 'unsafe_path';

export interface PutOptions {
  /** The folder of the blobs. */
  readonly blobs: string;
  readonly folder: string;
  readonly files: readonly FileToPut[];
}

/** `folder` has nothing of that name, unless the names of two files collide. @throws CollabError `input`, `file` */
export function putFile(blobs: BlobStore, folder: string, file: FileToPut): PutResult {
  if (file.content !== null && !blobs.has(file)) blobs.put(file.blob, file.content);
  try {
    return blobs.place(file, join(folder, file.path)) ? 'put' : 'not_in_store';
  } catch (error) {
    if (!isCollision(error)) throw error;
    return 'unsafe_path';
  }
}

/**
 * Returns true if the name is taken: by one in another case on some systems, by a file or a folder in a made-up tree.
 */
function isCollision(error: unknown): boolean {
  if (!(error instanceof CollabError)) return hasCode(error, 'EEXIST', 'EINVAL');
  return error.code === 'input' || systemCodeOf(error) === 'ENAMETOOLONG';
}

export type PlaceFunctions = typeof placeFunctions;

/** The functions of the threads. */
export const placeFunctions = {
  putFiles({ blobs, folder, files }: PutOptions): readonly PutResult[] {
    const held = openManyFiles();
    try {
      const store = openBlobs(blobs, held);
      return files.map((file) => putFile(store, folder, file));
    } finally {
      held.release();
    }
  },
};
