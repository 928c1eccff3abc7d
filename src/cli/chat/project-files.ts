/** The files that a message can mention by `@`. */
import { findInside } from '../../tools/files/find-inside.ts';
import { isHidden } from '../../tools/files/inside-path.ts';
import { walkFiles } from '../../tools/files/walk-files.ts';
import { openGitView } from '../../git/repository/git-view.ts';
import { findRepository, type Repository } from '../../git/repository/find-root.ts';
import { isOurs, listPaths } from '../../git/repository/state-trees.ts';
import type { Session } from '../session.ts';

/** Without git, a folder may be a home directory. */
const mostWalked = 200_000;

export interface ProjectFiles {
  /** Returns the files known so far; the first call begins to list them. */
  readonly files: () => readonly string[];
  /** Calls back when the files are listed; replaces the former callback. */
  readonly onMore: (callback: () => void) => void;
}

export function createProjectFiles(root: string, session: Pick<Session, 'env' | 'signal'>): ProjectFiles {
  let known: readonly string[] = [];
  let isListing = false;
  let tellMore: (() => void) | null = null;

  async function list(): Promise<void> {
    // Without the list, a path can still be typed.
    const listed = await listProjectFiles(root, session).catch(() => known);
    const isSame = listed.length === known.length && listed.every((file, index) => file === known[index]);
    known = listed;
    if (!isSame) tellMore?.();
  }

  return {
    files() {
      if (!isListing) {
        isListing = true;
        void list();
      }
      return known;
    },
    onMore(callback) {
      // A new input: the files may have changed.
      [tellMore, isListing] = [callback, false];
    },
  };
}

/** Lists the files that the tools can read and git does not ignore, or outside a repository all files, relative to `root`. */
export async function listProjectFiles(
  root: string,
  { env, signal }: Pick<Session, 'env' | 'signal'>,
): Promise<readonly string[]> {
  const repository = await findRepository(root);
  return repository === null ? walked(root) : listedByGit(repository, { env, signal });
}

async function listedByGit(
  repository: Repository,
  { env, signal }: Pick<Session, 'env' | 'signal'>,
): Promise<readonly string[]> {
  const view = await openGitView(repository, { env, signal });
  try {
    await view.copyIndex();
    const paths = await listPaths(view, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    return paths
      .filter((path) => !isOurs(path))
      .map(String)
      .filter((path) => !isHidden(path));
  } finally {
    await view.close();
  }
}

async function walked(root: string): Promise<readonly string[]> {
  const place = await findInside(root, '.');
  if (!('real' in place)) return [];
  const files: string[] = [];
  for await (const file of walkFiles(place)) {
    files.push(file);
    if (files.length >= mostWalked) break;
  }
  return files;
}
