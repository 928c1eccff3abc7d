/** Finds programs outside the current repository: a program inside it is never started. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lookAt } from '../../system/files/fault.ts';
import { isInside } from '../../system/is-inside.ts';
import { pathFolders, programNames, type Platform } from '../../system/platform.ts';

export interface ProgramSearch {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** No program in this folder is ever started. */
  readonly repository: string;
  /** The path of the configuration, such as `codex.path`. */
  readonly configured: string | null;
  readonly platform: Platform;
}

/** Returns the real files outside the repository that may be the program: the configured one, else those on PATH. */
export function programFiles(name: string, search: ProgramSearch): readonly string[] {
  return candidates(name, search)
    .map((candidate) => realPath(candidate))
    .filter((file) => file !== null)
    .filter((file) => isFile(file) && !isInside(file, search.repository));
}

/** A shell, too, skips a folder or a pipe with the name of the program. */
function isFile(path: string): boolean {
  return lookAt(path)?.isFile() === true;
}

function candidates(
  name: string,
  { env, configured, repository, platform }: ProgramSearch,
): readonly string[] {
  if (configured !== null) return [resolve(repository, configured)];
  const names = programNames(name, env, platform);
  return pathFolders(env, platform).flatMap((folder) => names.map((file) => join(folder, file)));
}

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
