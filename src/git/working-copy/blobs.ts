import { CollabError } from '../../errors/collab-error.ts';
import type { GitView } from '../repository/git-view.ts';
import { createObjectReader } from '../repository/object-reader.ts';

/**
 * Reads the blob of each item, one after another, at most about 32 MiB of them in memory. For `for await`, which also ends
 * git; a caller of `next` would leave it waiting.
 * @throws CollabError `input` when one is missing
 */
export async function* readEachBlob<Item>(
  view: GitView,
  items: readonly Item[],
  idOf: (item: Item) => string,
): AsyncGenerator<readonly [item: Item, content: Buffer]> {
  const objects = createObjectReader(view.onObjects);
  try {
    for (const batch of batches(items, await sizesOf(view, items.map(idOf)))) {
      const contents = await objects.blobs(batch.map(idOf));
      for (const [index, item] of batch.entries()) {
        const content = contents[index] ?? null;
        if (content === null) throw missing(idOf(item));
        yield [item, content];
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

function* batches<Item>(items: readonly Item[], sizes: readonly number[]): Generator<readonly Item[]> {
  let batch: Item[] = [];
  let sizeBytes = 0;
  for (const [index, item] of items.entries()) {
    const next = sizes[index] ?? 0;
    if (batch.length > 0 && sizeBytes + next > batchBytes) {
      yield batch;
      [batch, sizeBytes] = [[], 0];
    }
    batch.push(item);
    sizeBytes += next;
  }
  if (batch.length > 0) yield batch;
}

function missing(id: string): CollabError {
  return new CollabError('input', `the content ${id} is not in the repository`, {
    hint: 'Check for missing objects in a partial or damaged clone: git fsck',
  });
}
