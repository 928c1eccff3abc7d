/** Compares paths as texts: no link is followed. */
import { isAbsolute, relative, sep } from 'node:path';

/** Returns true for the folder itself, too. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

/** Returns the path from the folder, `.` for the folder itself; a path outside it unchanged. */
export function pathWithin(path: string, folder: string): string {
  return isInside(path, folder) ? relative(folder, path) || '.' : path;
}
