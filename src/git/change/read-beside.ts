/** Reads files of one state by their names, in the folders of the changed files and above. */
import { posix } from 'node:path';
import type { GitView } from '../repository/git-view.ts';
import type { ObjectEntry } from '../repository/object-reader.ts';
import type { FileBeside } from './change-input.ts';

/** In a larger change, folders with few changed files have no say. */
const mostFolders = 500;

/** Those of an outer folder are first; in one folder, in the order of `names`. Starts no process of its own. */
export async function readBeside(
  { objects }: Pick<GitView, 'objects'>,
  tree: string,
  { changed, names }: { readonly changed: readonly string[]; readonly names: readonly string[] },
): Promise<readonly FileBeside[]> {
  if (names.length === 0) return [];
  const folders = foldersOf(changed);
  const trees = await objects.trees(folders.map((folder) => `${tree}:${folder}`));
  const found = trees.flatMap((entries, index) =>
    names.flatMap((name) => {
      const entry = entries?.find((one) => one.name === name && !isFolder(one));
      return entry === undefined ? [] : [{ path: posix.join(folders[index] ?? '', name), entry }];
    }),
  );
  const texts = await objects.blobs(found.map(({ entry }) => entry.id));
  return found.map(({ path, entry }, index) => ({ path, text: textOf(entry, texts[index] ?? null) }));
}

/** Returns the folders of the files and all above, the outer ones first; `''` is the top folder. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>([['', paths.length]]);
  for (const path of paths) {
    for (let folder = posix.dirname(path); folder !== '.' && folder !== '/'; folder = posix.dirname(folder))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, mostFolders);
  return most
    .map(([folder]) => folder)
    .toSorted((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function isFolder({ mode }: ObjectEntry): boolean {
  return !mode.startsWith('100') && mode !== '120000';
}

function textOf({ mode }: ObjectEntry, content: Buffer | null): string | null {
  if (content === null || !mode.startsWith('100')) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return null;
  }
}
