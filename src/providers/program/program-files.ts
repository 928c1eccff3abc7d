/** Finds the current repository, so that no program in it is ever started. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Returns the nearest folder above (or at) `folder` that holds `.git`; `folder` itself if there is none. */
export function repositoryOf(folder: string): string {
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return realPath(current) ?? current;
    if (dirname(current) === current) return realPath(folder) ?? resolve(folder);
  }
}

/** Returns null if the path does not exist. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
