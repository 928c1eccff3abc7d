/** Keeps a script's edits in the work's folder. */
import { lstatSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Returns the absolute path, or why it is refused. A link on the way is refused wherever it leads. */
export function jailPath(
  folder: string,
  path: string,
): { readonly file: string } | { readonly refusal: string } {
  const way = relative(folder, resolve(folder, path));
  const parts = way.split(sep);
  if (isAbsolute(path) || way === '' || isAbsolute(way) || parts[0] === '..') {
    return { refusal: `${path} is outside of the folder` };
  }
  if (parts.some((part) => part.toLowerCase() === '.git')) return { refusal: `${path} belongs to git` };
  const ways = parts.map((_part, index) => join(folder, ...parts.slice(0, index + 1)));
  return ways.some(isLink) ? { refusal: `${path} goes through a link` } : { file: resolve(folder, way) };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
