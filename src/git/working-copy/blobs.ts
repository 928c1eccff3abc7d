import { CollabError } from '../../errors/collab-error.ts';
import type { GitView } from '../repository/git-view.ts';
import { createObjectReader } from '../repository/object-reader.ts';

/**
 * Reads blobs one after another, at most about 32 MiB of them in memory.
 * @throws CollabError `input` when one is missing
 */
export async function* readEachBlob(view: GitView, ids: readonly string[]): AsyncGenerator<Buffer> {
  const objects = createObjectReader(view.onObjects);
  try {
    for (const batch of batches(ids, await sizesOf(view, ids))) {
      for (const [index, content] of (await objects.blobs(batch)).entries()) {
        if (content === null) throw missing(batch[index] ?? '');
        yield content;
      }
    }
  } finally {
    await objects.close();
  }
}

const batchBytes = 32 * 1024 * 1024;

async function sizesOf(view: GitView, ids: readonly string[]): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const input = `${ids.join('\n')}\n`;
  const result = await view.onObjects(['cat-file', '--batch-check=%(objectsize)'], { input });
  const lines = result.stdout.toString('utf8').split('\n');
  return ids.map((id, index) => {
    const sizeBytes = Number(lines[index]);
    if (!Number.isInteger(sizeBytes) || lines[index] === '') throw missing(id);
    return sizeBytes;
  });
}

function* batches(ids: readonly string[], sizes: readonly number[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let sizeBytes = 0;
  for (const [index, id] of ids.entries()) {
    const next = sizes[index] ?? 0;
    if (batch.length > 0 && sizeBytes + next > batchBytes) {
      yield batch;
      [batch, sizeBytes] = [[], 0];
    }
    batch.push(id);
    sizeBytes += next;
  }
  if (batch.length > 0) yield batch;
}

function missing(id: string): CollabError {
  return new CollabError('input', `the content ${id} is not in the repository`, {
    hint: 'Check for missing objects in a partial or damaged clone: git fsck',
  });
}
