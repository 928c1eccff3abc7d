/**
 * The lists of the files of trees, each under the tree's id. A list is kept as its differences from a whole one, so
 * that no run writes or compares the names of all files again.
 */
import { join } from 'node:path';
import { hasCode } from '../../errors/has-code.ts';
import { lookAt } from '../../system/files/fault.ts';
import { inNewFolder } from '../../system/files/in-folder.ts';
import { namesIn, readIfThere } from '../../system/files/read.ts';
import { setTimes } from '../../system/files/tree.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { wholeList, withChanges, type FileList, type FileLists } from '../repository/file-list.ts';
import type { TreeEntry } from '../repository/list-tree.ts';

export interface Manifests extends FileLists {
  /** Writes a list to a file anywhere. */
  write(file: string, list: FileList): void;
  /** Returns null if there is no such file, it is not a list, or the whole list that it differs from is gone. */
  read(file: string): FileList | null;
}

/** Folder names in a store. The time of a list is the time of its last use. */
export const changeLists = 'trees';
export const wholeLists = 'lists';

/** `folder` is the folder of the store. */
export function openManifests(folder: string): Manifests {
  let held: FileList | null = null;
  const wholePathOf = (tree: string): string => join(folder, wholeLists, tree);
  const readWhole = (tree: string): FileList | null => {
    if (held?.base === tree) return held;
    const entries = readEntries(readIfThere(wholePathOf(tree)) ?? '');
    if (entries === null) return null;
    markUsed(wholePathOf(tree));
    return (held = { ...wholeList(entries), base: tree });
  };
  const read = (file: string): FileList | null => {
    const text = readIfThere(file) ?? '';
    const [base = ''] = text.split(' ', 1);
    if (base === none) {
      const entries = readEntries(text.slice(base.length + 1));
      return entries === null ? null : wholeList(entries);
    }
    const [whole, changes] = [isId(base) ? readWhole(base) : null, readChanges(text.slice(base.length + 1))];
    return whole === null || changes === null ? null : withChanges(whole, changes);
  };
  const write = (file: string, { base, changes, entries }: FileList): void => {
    const isBased = base !== null && markUsed(wholePathOf(base));
    const text = isBased ? `${base} ${renderChanges(changes)}` : `${none} ${renderEntries(entries)}`;
    writeAtomically(file, text, { synced: false });
  };
  return {
    read,
    write,
    get(tree) {
      if (!isId(tree)) return null;
      return read(join(folder, changeLists, tree)) ?? readWhole(tree);
    },
    put(tree, list) {
      if (list.base === tree && markUsed(wholePathOf(tree))) return;
      inNewFolder(join(folder, changeLists), () => write(join(folder, changeLists, tree), list));
    },
    latest() {
      const [latest] = namesIn(join(folder, wholeLists))
        .filter(isId)
        .toSorted((one, other) => timeOf(wholePathOf(other)) - timeOf(wholePathOf(one)));
      return latest === undefined ? null : readWhole(latest);
    },
    keep(tree, entries) {
      const text = renderEntries(entries);
      inNewFolder(join(folder, wholeLists), () =>
        writeAtomically(wholePathOf(tree), text, { synced: false }),
      );
      return (held = { ...wholeList(entries), base: tree });
    },
  };
}

/** Returns false if there is no such list. */
function markUsed(path: string): boolean {
  const now = new Date();
  try {
    setTimes(path, { atime: now, mtime: now });
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function timeOf(path: string): number {
  return lookAt(path)?.mtimeMs ?? 0;
}

/** Replaces the whole list's tree. */
const none = '-';

function isId(name: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(name);
}

/** Not JSON: with 20,000 files, a schema would take a tenth of a second at the start of each run. */
function renderEntries(entries: readonly TreeEntry[]): string {
  return renderLines(entries.map(renderEntry));
}

function renderChanges(changes: FileList['changes']): string {
  return renderLines(
    [...changes].map(([path, entry]) => (entry === null ? `gone\t${path}` : renderEntry(entry))),
  );
}

function renderLines(lines: readonly string[]): string {
  return `${lines.length}\0${lines.map((line) => `${line}\0`).join('')}`;
}

function renderEntry({ path, blob, kind, sizeBytes }: TreeEntry): string {
  return `${kind} ${blob} ${sizeBytes ?? '-'}\t${path}`;
}

/** Returns null if it is not a whole list of files. */
function readEntries(text: string): readonly TreeEntry[] | null {
  const entries: TreeEntry[] = [];
  const count = readLines(text, (_path, entry) => {
    if (entry !== null) entries.push(entry);
  });
  return count === entries.length ? entries : null;
}

function readChanges(text: string): FileList['changes'] | null {
  const changes = new Map<string, TreeEntry | null>();
  const count = readLines(text, (path, entry) => changes.set(path, entry));
  return count === changes.size ? changes : null;
}

/** Returns the number of lines; null if they are not as many as the first one says. One pattern reads all of them quickly. */
function readLines(text: string, take: (path: string, entry: TreeEntry | null) => void): number | null {
  const start = text.indexOf('\0') + 1;
  const pattern = /(?:(file|symlink|submodule) ([0-9a-f]{40,64}) (\d+|-)|gone)\t([^\0]+)\0/y;
  pattern.lastIndex = start;
  let count = 0;
  for (; pattern.lastIndex < text.length; count += 1) {
    const [, kind, blob = '', size, path = ''] = pattern.exec(text) ?? [];
    if (path === '') return null;
    const isKnown = kind === 'file' || kind === 'symlink' || kind === 'submodule';
    take(path, isKnown ? { path, blob, kind, sizeBytes: size === '-' ? null : Number(size) } : null);
  }
  return start > 0 && String(count) === text.slice(0, start - 1) ? count : null;
}
