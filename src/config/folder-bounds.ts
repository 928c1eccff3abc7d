import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Does a path lead out of a folder, by name or through a link, or into its `.git`? It need not exist. */
export function leavesFolder(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  const parts = way.split(sep);
  return isAbsolute(way) || parts[0] === '..' || parts.some((part) => part.toLowerCase() === '.git');
}

/** Of what is there; what is not there yet keeps its name. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}
