import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * The PATH for programs that we start: without relative entries, without empty ones (they mean the current folder) and without
 * any that lies in the repository under review. `npx` and `npm run` put `<repository>/node_modules/.bin` first, where a
 * hostile repository keeps its own `git` (facts/isolation.md §0.9).
 */
export function safePath(
  env: Readonly<Record<string, string | undefined>>,
  repositoryRoot: string | null,
): string {
  const entries = pathOf(env).split(delimiter).filter(isAbsolute);
  const safe = repositoryRoot === null ? entries : entries.filter((entry) => !liesIn(entry, repositoryRoot));
  return [...new Set(safe)].join(delimiter);
}

function pathOf(env: Readonly<Record<string, string | undefined>>): string {
  // Windows writes `Path`, and a copied environment has lost its indifference to case.
  const key = Object.keys(env).find((name) => name === 'PATH' || name.toUpperCase() === 'PATH');
  return key === undefined ? '' : (env[key] ?? '');
}

function liesIn(entry: string, folder: string): boolean {
  return isBelow(resolve(entry), resolve(folder)) || isBelow(realPath(entry), realPath(folder));
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // An entry that does not exist holds no program.
    return resolve(path);
  }
}
