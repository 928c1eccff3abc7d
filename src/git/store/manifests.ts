/** The lists of the files of trees, each under the tree's id. */
import { join } from 'node:path';
import { makeFolder } from '../../system/files/in-folder.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';
import type { TreeEntry } from '../repository/list-tree.ts';

export interface Manifests {
  put(tree: string, entries: readonly TreeEntry[]): void;
  /** Returns null if there is none, or none that can be read. */
  get(tree: string): readonly TreeEntry[] | null;
}

export function openManifests(folder: string): Manifests {
  const pathOf = (tree: string): string => join(folder, tree);
  return {
    put(tree, entries) {
      makeFolder(folder);
      // The list is written at each use: the time of the file is that of its last use.
      writeAtomically(pathOf(tree), renderEntries(entries), { synced: false });
    },
    get: (tree) => (/^[0-9a-f]{40,64}$/.test(tree) ? readEntries(pathOf(tree)) : null),
  };
}

/** Not JSON: with 20,000 files, a schema would take a tenth of a second at the start of each run. */
export function renderEntries(entries: readonly TreeEntry[]): string {
  const lines = entries.map(
    ({ path, blob, kind, sizeBytes }) => `${kind} ${blob} ${sizeBytes ?? '-'}\t${path}\0`,
  );
  return `${entries.length}\0${lines.join('')}`;
}

/** Returns null if there is no such file, or it is not a whole list of files. */
export function readEntries(file: string): readonly TreeEntry[] | null {
  const [count, ...lines] = (readIfThere(file) ?? '').split('\0');
  const entries = lines.slice(0, -1).flatMap(parseLine);
  return lines.at(-1) === '' && String(entries.length) === count ? entries : null;
}

function parseLine(line: string): readonly TreeEntry[] {
  const [, kind, blob, size, path] =
    /^(file|symlink|submodule) ([0-9a-f]{40,64}) (\d+|-)\t(.+)$/s.exec(line) ?? [];
  if (blob === undefined || path === undefined) return [];
  if (kind !== 'file' && kind !== 'symlink' && kind !== 'submodule') return [];
  return [{ path, blob, kind, sizeBytes: size === '-' ? null : Number(size) }];
}
