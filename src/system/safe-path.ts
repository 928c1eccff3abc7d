import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { isInside } from './is-inside.ts';

/**
 * Returns the PATH for programs that we start: without relative entries, empty ones (they mean the current
 * folder) or any in the repository under review. `npx` and `npm run` put `<repository>/node_modules/.bin`
 * first, and a hostile repository keeps its own `git` there (test/agents/traps.md, Isolation).
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
  // Windows writes `Path`, and a copied environment is case-sensitive.
  const key = Object.keys(env).find((name) => name === 'PATH' || name.toUpperCase() === 'PATH');
  return key === undefined ? '' : (env[key] ?? '');
}

function liesIn(entry: string, folder: string): boolean {
  return isInside(resolve(entry), resolve(folder)) || isInside(realPath(entry), realPath(folder));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // An entry that does not exist holds no program.
    return resolve(path);
  }
}
