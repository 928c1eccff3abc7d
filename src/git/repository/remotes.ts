/** The addresses of a repository's remotes. Nothing is ever fetched from them. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Repository } from './find-root.ts';
import { parseSettings } from './harmless-settings.ts';
import { runGit, type GitEnvironment } from './run-git.ts';

/** The first of these is where pull requests are, if a clone has several remotes. */
const preferred: readonly (string | undefined)[] = ['upstream', 'origin'];

/** Returns the addresses, those of `upstream` and `origin` first. @throws CollabError `input` */
export async function readRemotes(
  { commonDir, root }: Repository,
  { env, signal }: { readonly env: GitEnvironment; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const args = ['config', '--file', join(commonDir, 'config'), '-z', '--get-regexp', '^remote\\..*\\.url$'];
  const result = await runGit({ args, cwd: tmpdir(), env, signal, repositoryRoot: root, variables: {} });
  return [...parseSettings(result)]
    .toSorted(([left], [right]) => rank(left) - rank(right))
    .map(([, address]) => address);
}

function rank(key: string): number {
  const [, name] = /^remote\.(.*)\.url$/.exec(key) ?? [];
  return preferred.includes(name) ? preferred.indexOf(name) : preferred.length;
}
