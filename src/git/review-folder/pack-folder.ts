/**
 * The files of a review folder as bytes, for a machine that does not have the repository: a list, then the contents, each
 * under its id in git, so that the receiver can check them.
 */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { createFile, createFolder, removeTree } from '../../system/files/tree.ts';
import { sha256 } from '../../text/digest.ts';
import { parseJson } from '../../text/parse-json.ts';
import { wholeList } from '../repository/file-list.ts';
import { requireRepository } from '../repository/find-root.ts';
import type { TreeEntry } from '../repository/list-tree.ts';
import { objectIdSchema } from '../repository/object-id.ts';
import { atOnce, batchesOf, fetchBlobs } from '../store/fetch-blobs.ts';
import { openRepositoryStore, type RepositoryStore } from '../store/store.ts';
import { planFolder, readableBlob } from './plan-folder.ts';
import { findFiles, openFiles, type ReviewFolderOptions } from './review-folder.ts';

export interface PackedFolder {
  /** The digest of the list: the same for the same files. */
  readonly id: string;
  /** The tree in git that the files are of. */
  readonly tree: string;
  /** The first part is the list. */
  readonly parts: () => AsyncGenerator<Uint8Array>;
}

export type PackOptions = Pick<
  ReviewFolderOptions,
  'root' | 'state' | 'tree' | 'base' | 'changedPaths' | 'env'
>;

/** Calls `use` with the files that a review folder would have. @throws CollabError `input`, `range`, `file` */
export async function withPackedFolder<Result>(
  options: PackOptions,
  use: (packed: PackedFolder) => Promise<Result>,
): Promise<Result> {
  const { store, view, close } = await openFiles(options);
  try {
    const { tree, files, read } = await findFiles(store, view, options);
    const { entries } = planFolder(files.entries, options.changedPaths);
    const list = Buffer.from(JSON.stringify({ tree, entries }));
    const parts = async function* () {
      yield list;
      for (const batch of batchesOf(entries)) {
        await fetchBlobs(store, batch, read);
        yield Buffer.concat(batch.flatMap((entry) => framed(entry, store)));
      }
    };
    return await use({ id: sha256(list.toString('utf8')), tree, parts });
  } finally {
    await close();
  }
}

export interface UnpackedFolder {
  /** An empty repository, whose store holds the files. */
  readonly root: string;
  readonly tree: string;
  /** Removes the store; the caller removes the repository. */
  remove(): Promise<void>;
}

/**
 * Creates a repository in the new folder `root` without objects; the files are in its store.
 * @throws CollabError `input` if a part is damaged, `file`
 */
export async function unpackFolder(
  parts: AsyncIterable<Uint8Array>,
  { root, base }: Pick<PackOptions, 'root' | 'base'>,
): Promise<UnpackedFolder> {
  for (const path of ['', '.git', '.git/objects', '.git/refs']) createFolder(join(root, path));
  createFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  const store = openRepositoryStore(base, await requireRepository(root));
  try {
    let tree: string | null = null;
    for await (const part of parts) {
      if (tree === null) tree = putList(store, part);
      else await putContents(store, part);
    }
    return { root, tree: tree ?? damaged(), remove: () => removeTree(store.folder) };
  } finally {
    store.close();
  }
}

/** Returns the content of one file; null if it is not among the files. @throws CollabError `input` if a part is damaged */
export async function readPackedFile(parts: AsyncIterable<Uint8Array>, path: string): Promise<Buffer | null> {
  let blob: string | null = null;
  for await (const part of parts) {
    if (blob === null) {
      const entry = readList(part).entries.find((one) => one.path === path);
      blob = entry === undefined ? null : readableBlob(entry);
      if (blob === null) return null;
      continue;
    }
    for (const { id, content } of framesOf(part)) if (id === blob) return content;
  }
  return null;
}

const listSchema = z.object({
  tree: objectIdSchema,
  entries: z.array(
    z.object({
      path: z.string(),
      blob: objectIdSchema,
      kind: z.enum(['file', 'symlink', 'submodule']),
      sizeBytes: z.int().nonnegative().nullable(),
    }),
  ),
});

function putList(store: RepositoryStore, part: Uint8Array): string {
  const list = readList(part);
  store.trees.put(list.tree, wholeList(list.entries));
  return list.tree;
}

function readList(part: Uint8Array): z.infer<typeof listSchema> {
  return listSchema.safeParse(parseJson(Buffer.from(part).toString('utf8'))).data ?? damaged();
}

async function putContents({ blobs }: RepositoryStore, part: Uint8Array): Promise<void> {
  let count = 0;
  for (const { id, content } of framesOf(part)) {
    blobs.put(id, content);
    count += 1;
    if (count % atOnce === 0) await nextTurn();
  }
}

/** The length of the id, the id, the length of the content, the content; nothing for a file that is not in the clone. */
function framed({ blob }: TreeEntry, { blobs }: RepositoryStore): readonly Buffer[] {
  const content = blobs.get(blob);
  if (content === null) return [];
  const sizes = Buffer.alloc(lengthBytes);
  sizes.writeUInt32BE(content.length);
  return [Buffer.from([blob.length]), Buffer.from(blob, 'latin1'), sizes, content];
}

const lengthBytes = 4;

function* framesOf(part: Uint8Array): Generator<{ readonly id: string; readonly content: Buffer }> {
  const bytes = Buffer.from(part);
  for (let at = 0; at < bytes.length;) {
    const idEnd = at + 1 + (bytes[at] ?? 0);
    if (idEnd + lengthBytes > bytes.length) damaged();
    const id = bytes.toString('latin1', at + 1, idEnd);
    const start = idEnd + lengthBytes;
    const end = start + bytes.readUInt32BE(idEnd);
    if (end > bytes.length || !/^[0-9a-f]{40,64}$/.test(id)) damaged();
    yield { id, content: bytes.subarray(start, end) };
    at = end;
  }
}

function damaged(): never {
  throw new CollabError('input', 'The packed files of the review are damaged', {
    hint: 'Submit the review again.',
  });
}
