import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Returns whether a path leaves a folder, by name or through a link, or enters its `.git`. It need not exist. */
export function leavesFolder(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  const parts = way.split(sep);
  return isAbsolute(way) || parts[0] === '..' || parts.some((part) => part.toLowerCase() === '.git');
}

/** Resolves the part that exists; the rest keeps its name. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}
