import { join, resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import type { Repository } from './find-root.ts';
import { runGit, type GitEnvironment } from './run-git.ts';
import { isInside } from '../../system/is-inside.ts';

export interface HooksFolder {
  readonly folder: string;
  /** The folder around it: the work tree or the repository's folder. */
  readonly inside: string;
}

/**
 * Finds the folder of a repository's hooks: `hooks`, or the value of its `core.hooksPath`. The configuration is read as a
 * file: no repository is opened.
 * @throws CollabError `usage` when the hooks are outside of the repository
 */
export async function findHooksFolder(repository: Repository, env: GitEnvironment): Promise<HooksFolder> {
  const { root, commonDir } = repository;
  const args = ['config', '--file', join(commonDir, 'config'), '--type=path', '--get', 'core.hooksPath'];
  const { exitCode, stdout } = await runGit({ args, cwd: root, variables: {}, env, repositoryRoot: root });
  const named = exitCode === 0 ? stdout.toString('utf8').replace(/\n$/, '') : '';
  if (named === '') return { folder: join(commonDir, 'hooks'), inside: commonDir };
  const folder = resolve(root, named);
  if (isInside(folder, root)) return { folder, inside: root };
  throw new CollabError('usage', `the hooks of this repository are outside it, in ${folder}`, {
    hint: 'unset core.hooksPath in .git/config, or put the hook there by hand',
  });
}
