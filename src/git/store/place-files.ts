/** Places the files of a tree in a folder: many of them in threads, so that the event loop stays free and all processors help. */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { allDone } from '../../system/all-done.ts';
import { builtProgram } from '../../system/package-folder.ts';
import { createThreadQueue, type ThreadQueue } from '../../system/thread-queue.ts';
import type { TreeEntry } from '../repository/list-tree.ts';
import type { Snapshot } from '../repository/snapshot.ts';
import { atOnce, batchesOf, blobNameOf, fetchBlobs } from './fetch-blobs.ts';
import { putFile, type FileToPut, type PlaceFunctions, type PutResult } from './put-files.ts';
import type { RepositoryStore } from './store.ts';

export interface Unplaced {
  readonly path: string;
  readonly reason: 'not_in_clone' | 'unsafe_path' | 'stopped';
}

export interface PlaceOptions {
  /** The files are placed below it. */
  readonly folder: string;
  /** Reads the contents of blobs that the store does not have. */
  readonly read: Snapshot['read'];
  /** Takes effect between two batches. */
  readonly signal?: AbortSignal | undefined;
  readonly threads?: PlaceThreads | undefined;
}

export interface PlaceThreads {
  /** The built `place-thread.ts`; null: all files are placed on the event loop. */
  readonly program: string | null;
  /** The start of a thread takes as long as some hundred files: fewer than this are placed on the event loop. */
  readonly fewest: number;
}

/** Returns the files that are not there, by reason. @throws CollabError `input`, `file` */
export async function placeFiles(
  store: RepositoryStore,
  entries: readonly TreeEntry[],
  options: PlaceOptions,
): Promise<readonly Unplaced[]> {
  const { program, fewest } = options.threads ?? packaged;
  return program === null || entries.length < fewest
    ? placeOnLoop(store, entries, options)
    : placeInThreads(store, entries, { ...options, program });
}

const packaged: PlaceThreads = { program: builtProgram('placer.js'), fewest: 4000 };
const mostThreads = 2;

async function placeOnLoop(
  store: RepositoryStore,
  entries: readonly TreeEntry[],
  { folder, read, signal }: PlaceOptions,
): Promise<readonly Unplaced[]> {
  const unplaced: Unplaced[] = [];
  for (const batch of batchesOf(entries)) {
    if (signal?.aborted !== true) await fetchBlobs(store, batch, read);
    for (const [position, entry] of batch.entries()) {
      if (position % atOnce === 0) await nextTurn();
      const file = fileOf(entry, null);
      let result: PutResult | 'stopped' = 'not_in_store';
      // Another process may have cleaned the store, or changed the blob.
      for (let fetches = 0; result === 'not_in_store'; fetches += 1) {
        if (fetches > 0) await fetchBlobs(store, [entry], read);
        result = signal?.aborted === true ? 'stopped' : putFile(store.blobs, folder, file);
        if (fetches === mostFetches) break;
      }
      if (result !== 'put') unplaced.push({ path: entry.path, reason: reasonOf(result) });
    }
  }
  return unplaced;
}

/** Attempts to fetch a file that is missing again each time. */
const mostFetches = 3;

async function placeInThreads(
  store: RepositoryStore,
  entries: readonly TreeEntry[],
  options: PlaceOptions & { readonly program: string },
): Promise<readonly Unplaced[]> {
  store.files.release();
  const { program } = options;
  const queue = createThreadQueue<PlaceFunctions>({
    program,
    mostThreads,
    limitMs: null,
    keepsThreads: true,
  });
  const known = store.blobs.names();
  const batches = batchesOf(entries);
  // One batch is read while each thread has one. A failure ends the iterator for all.
  const work = async (): Promise<readonly Unplaced[]> => {
    const unplaced: Unplaced[] = [];
    for (const batch of batches)
      unplaced.push(...(await placeBatch(store, batch, { ...options, queue, known })));
    return unplaced;
  };
  try {
    return (await allDone(Array.from({ length: mostThreads + 1 }, work))).flat();
  } finally {
    queue.close();
  }
}

interface BatchOptions extends PlaceOptions {
  readonly queue: ThreadQueue<PlaceFunctions>;
  readonly known: ReadonlySet<string>;
}

async function placeBatch(
  store: RepositoryStore,
  batch: readonly TreeEntry[],
  options: BatchOptions,
): Promise<readonly Unplaced[]> {
  const { folder, read, signal, queue, known } = options;
  if (signal?.aborted === true) return placeOnLoop(store, batch, options);
  const missing = [...new Set(batch.map(({ blob }) => blob))].filter((blob) => !known.has(blob));
  const contents = await read(missing);
  const contentOf = new Map(missing.map((blob, index) => [blob, contents[index] ?? null]));
  const files = batch.map((entry) => fileOf(entry, contentOf.get(entry.blob) ?? null));
  const results = await queue.call('putFiles', [{ blobs: store.blobs.folder, folder, files }], {
    moved: memoryOf(contents),
  });
  if (results === null) {
    // The system has no memory for the thread, which may have placed some files.
    for (const { path } of batch) store.files.remove(join(folder, path));
    return placeOnLoop(store, batch, options);
  }
  const others = batch.filter((_, index) => results[index] === 'not_in_store');
  return [
    ...batch
      .filter((_, index) => results[index] === 'unsafe_path')
      .map(({ path }) => ({ path, reason: 'unsafe_path' }) as const),
    ...(await placeOnLoop(store, others, options)),
  ];
}

/** A small buffer shares its memory with others, which are copied. */
function memoryOf(contents: readonly (Buffer | null)[]): readonly ArrayBuffer[] {
  return contents.flatMap((content) =>
    content !== null &&
    content.buffer instanceof ArrayBuffer &&
    content.byteLength === content.buffer.byteLength
      ? [content.buffer]
      : [],
  );
}

function fileOf(entry: TreeEntry, content: Uint8Array | null): FileToPut {
  return { ...blobNameOf(entry), path: entry.path, content };
}

function reasonOf(result: Exclude<PutResult, 'put'> | 'stopped'): Unplaced['reason'] {
  return result === 'not_in_store' ? 'not_in_clone' : result;
}
