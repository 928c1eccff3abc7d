import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { findRepository } from './find-root.ts';
import { openGitView, type OpenViewOptions } from './git-view.ts';
import { unreadableError } from './resolve-commits.ts';

/** Returns true if git ignores a file or the target of its link. False outside of a repository. */
export async function isIgnored(
  path: string,
  { cwd, ...options }: OpenViewOptions & { readonly cwd: string },
): Promise<boolean> {
  const repository = await findRepository(cwd);
  if (repository === null) return false;
  const real = await realpath(path).catch(() => path);
  const root = await realpath(repository.root);
  // Not the view of a start: there the index is changed meanwhile.
  const view = await openGitView(repository, options);
  try {
    await view.copyIndex();
    // The command rejects literal names, and reads a leading colon as magic.
    const literal = { GIT_LITERAL_PATHSPECS: '0' };
    const args = ['check-ignore', '--quiet', '--', `./${relative(root, real)}`];
    const result = await view.inWorkTree(args, { variables: literal });
    if (result.exitCode === 0 || result.exitCode === 1) return result.exitCode === 0;
    throw unreadableError(`cannot find out whether git ignores ${path}`, result);
  } finally {
    await view.close();
  }
}
