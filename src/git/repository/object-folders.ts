import { isAbsolute, join, resolve } from 'node:path';
import { readSmallFile } from './find-root.ts';

/**
 * Returns a repository's object folder and every folder that it borrows from, as absolute paths. Git follows relative
 * entries only in the repository's own list, not in that of a repository it borrows from, so we resolve them ourselves.
 */
export async function findObjectFolders(objects: string, depth = 0): Promise<readonly string[]> {
  const list = depth >= gitFollowsAlternates ? null : readSmallFile(join(objects, 'info', 'alternates'));
  const borrowed = (list ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const folders = await Promise.all(
    borrowed.map((path) => findObjectFolders(isAbsolute(path) ? path : resolve(objects, path), depth + 1)),
  );
  return [...new Set([objects, ...folders.flat()])];
}

/**
 * Returns the text of `objects/info/alternates`, with quotes that git understands, because a path may hold a line end.
 */
export function renderAlternates(folders: readonly string[]): string {
  return folders.map((folder) => `${quote(folder)}\n`).join('');
}

/** The same limit as in git's `link_alt_odb_entries`, which ignores deeper lists. */
const gitFollowsAlternates = 5;

function quote(path: string): string {
  return /[\n"\\#]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"` : path;
}
