/** The lists of the files of trees, each under the tree's id. */
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../system/files/in-folder.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { parseJson } from '../../text/parse-json.ts';
import type { TreeEntry } from '../repository/list-tree.ts';

export interface Manifests {
  put(tree: string, entries: readonly TreeEntry[]): void;
  /** Returns null if there is none, or none that can be read. */
  get(tree: string): readonly TreeEntry[] | null;
}

const lineSchema = z.tuple([
  z.string(),
  z.string(),
  z.enum(['file', 'symlink', 'submodule']),
  z.int().nonnegative().nullable(),
]);
const manifestSchema = z.array(lineSchema);

export function openManifests(folder: string): Manifests {
  const pathOf = (tree: string): string => join(folder, tree);
  return {
    put(tree, entries) {
      makeFolder(folder);
      // A tree is kept anew whenever it is used: the time of the file is that of its last use.
      writeAtomically(pathOf(tree), renderEntries(entries), { synced: false });
    },
    get: (tree) => (/^[0-9a-f]{40,64}$/.test(tree) ? readEntries(pathOf(tree)) : null),
  };
}

export function renderEntries(entries: readonly TreeEntry[]): string {
  return JSON.stringify(entries.map(({ path, blob, kind, sizeBytes }) => [path, blob, kind, sizeBytes]));
}

/** Returns null if there is no such file, or it is not a list of files. */
export function readEntries(file: string): readonly TreeEntry[] | null {
  const parsed = manifestSchema.safeParse(parseJson(readIfThere(file) ?? ''));
  if (!parsed.success) return null;
  return parsed.data.map(([path, blob, kind, sizeBytes]) => ({ path, blob, kind, sizeBytes }));
}
