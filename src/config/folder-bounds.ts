import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Returns true if a path leaves a folder, by name or through a link, or enters its `.git`. It need not exist. */
export function leavesFolder(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  const parts = way.split(sep);
  return isAbsolute(way) || parts[0] === '..' || parts.some(isGit);
}

/** Returns true for each name that some file system reads as `.git`: another case, a short name, ignored characters. */
function isGit(part: string): boolean {
  const name = part.toLowerCase().replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return /^(?:\.git|git~\d+)(?:[. ]*|:.*)$/.test(name);
}

/** Resolves the part that exists; the rest keeps its name. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}
