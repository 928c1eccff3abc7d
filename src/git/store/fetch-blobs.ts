import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TreeEntry } from '../repository/list-tree.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import type { BlobName } from './blobs.ts';
import type { RepositoryStore } from './store.ts';

/** Reads blobs that the store does not have into it. A blob that cannot be read is left out. @throws CollabError `input`, `file` */
export async function fetchBlobs(
  { blobs }: Pick<RepositoryStore, 'blobs'>,
  entries: readonly TreeEntry[],
  read: Snapshot['read'],
): Promise<void> {
  const missing = new Map(entries.map((entry) => [entry.blob, blobNameOf(entry)]));
  for (const name of missing.values()) if (blobs.has(name)) missing.delete(name.blob);
  for (const batch of batchesOf([...missing.values()])) {
    const contents = await read(batch.map(({ blob }) => blob));
    for (const [index, { blob }] of batch.entries()) {
      if (index % atOnce === 0) await nextTurn();
      const content = contents[index] ?? null;
      if (content !== null) blobs.put(blob, content);
    }
  }
}

export function blobNameOf({ blob, sizeBytes }: TreeEntry): BlobName {
  return { blob, sizeBytes: sizeBytes ?? 0 };
}

/** Number of files that are written before other work of this process gets its turn. */
export const atOnce = 64;

/** Contents in memory at a time, except for a single larger file. */
const batchBytes = 8 * 1024 * 1024;
const batchFiles = 1000;

/** Cuts a list of files into batches that are read at a time. */
export function* batchesOf<File extends { readonly sizeBytes: number | null }>(
  files: readonly File[],
): Generator<readonly File[]> {
  let batch: File[] = [];
  let sizeBytes = 0;
  for (const file of files) {
    batch.push(file);
    sizeBytes += file.sizeBytes ?? 0;
    if (sizeBytes < batchBytes && batch.length < batchFiles) continue;
    yield batch;
    [batch, sizeBytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
