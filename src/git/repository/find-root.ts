import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { openNamed, readUpTo } from '../../system/files/read.ts';

export interface Repository {
  /** The top of the work tree: the folder that holds `.git`. */
  readonly root: string;
  /** Holds HEAD and the index; for a linked worktree, its own folder below the repository's `worktrees/`. */
  readonly gitDir: string;
  /** Holds objects, refs and configuration; differs from `gitDir` in a linked worktree. */
  readonly commonDir: string;
}

/** Finds the repository around a folder by reading files: starts no git. */
export async function findRepository(cwd: string): Promise<Repository | null> {
  const folder = resolve(cwd);
  const repository = await repositoryAt(folder);
  if (repository !== null) return repository;
  const parent = dirname(folder);
  return parent === folder ? null : findRepository(parent);
}

/** @throws CollabError `input` if there is none */
export async function requireRepository(cwd: string, hint?: string): Promise<Repository> {
  const repository = await findRepository(cwd);
  if (repository !== null) return repository;
  throw new CollabError('input', `${cwd} is not in a git repository`, hint === undefined ? {} : { hint });
}

async function repositoryAt(root: string): Promise<Repository | null> {
  const gitDir = await gitDirOf(join(root, '.git'));
  if (gitDir === null || !(await isFile(join(gitDir, 'HEAD')))) return null;
  const commonDir = commonDirOf(gitDir);
  return (await isFolder(join(commonDir, 'objects'))) ? { root, gitDir, commonDir } : null;
}

/** `.git` is the folder itself, or a file `gitdir: <path>` in linked worktrees and submodules. */
async function gitDirOf(dotGit: string): Promise<string | null> {
  if (await isFolder(dotGit)) return dotGit;
  const pointer = readSmallFile(dotGit);
  const target = pointer === null ? undefined : /^gitdir: (.+?)\r?\n*$/s.exec(pointer)?.[1];
  return target === undefined ? null : resolve(dirname(dotGit), target);
}

function commonDirOf(gitDir: string): string {
  const pointer = readSmallFile(join(gitDir, 'commondir'));
  return pointer === null ? gitDir : resolve(gitDir, pointer.trimEnd());
}

/**
 * Returns null for anything but a regular file of at most 64 KiB: a pipe that a stranger left there must not block us.
 */
export function readSmallFile(path: string): string | null {
  try {
    return readUpTo(openNamed(path, path), path, 65_536)?.toString('utf8') ?? null;
  } catch {
    return null;
  }
}

export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
