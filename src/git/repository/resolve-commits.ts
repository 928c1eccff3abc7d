import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { nearestFew } from '../../text/nearest.ts';
import { isFile, readSmallFile } from './find-root.ts';
import type { GitView } from './git-view.ts';
import { gitWords, type GitResult } from './run-git.ts';

/** Resolves a branch, tag, id or expression like `HEAD~2` to the full commit id. @throws CollabError `range` */
export async function resolveCommit(view: GitView, name: string): Promise<string> {
  const id = await idOf(view, `${name}^{commit}`);
  if (id === null) throw await unknownName(view, name);
  return id;
}

/** Returns null in a repository without commits. @throws CollabError `range` when HEAD names a missing commit */
export async function resolveHead(view: GitView): Promise<string | null> {
  const id = await idOf(view, 'HEAD^{commit}');
  if (id !== null || !(await namesCommit(view))) return id;
  throw new CollabError('range', 'HEAD names a commit that is not in this repository', {
    hint: 'Check the repository: git fsck',
  });
}

/** Returns the first parent; null for a root commit. @throws CollabError `range` when a shallow clone ends here */
export async function resolveParent(view: GitView, commit: string): Promise<string | null> {
  const parent = await view.objects.id(`${commit}^1^{commit}`);
  if (parent !== null) return parent;
  if ((await readShallow(view))?.includes(commit) === true) {
    throw new CollabError('range', `the parent of ${commit.slice(0, 12)} is not in this shallow clone`, {
      hint: shallowRemedy,
    });
  }
  return null;
}

/** @throws CollabError `range` when the two have no common ancestor here */
export async function findMergeBase(
  view: GitView,
  base: string,
  head: string,
  names: string,
): Promise<string> {
  const result = await view.inWorkTree(['merge-base', base, head]);
  const id = result.stdout.toString('utf8').split('\n')[0] ?? '';
  if (result.exitCode === 0 && id !== '') return id;
  if (result.exitCode !== 1) throw unreadableError(`${names} cannot be compared`, result);
  if (await isShallow(view)) {
    throw new CollabError('range', `${names}: no merge base in this shallow clone`, { hint: shallowRemedy });
  }
  throw new CollabError('range', `${names}: the two have no common ancestor`, {
    hint: 'Compare them directly with two dots (a..b), or review one commit with --commit',
  });
}

export function unreadableError(what: string, result: GitResult): CollabError {
  return new CollabError('range', `${what}: ${gitWords(result)}`, { hint: damagedHint });
}

export const damagedHint = 'Check for missing objects in a partial or damaged clone: git fsck';

const shallowRemedy =
  'Fetch the history: git fetch --unshallow (in GitHub Actions: actions/checkout with fetch-depth: 0)';

async function idOf({ objects, commits }: GitView, name: string): Promise<string | null> {
  const found = commits?.get(name) ?? (await objects.id(name));
  // Another reader may have been the first meanwhile.
  const id = commits?.get(name) ?? found;
  if (id !== null) commits?.set(name, id);
  return id;
}

/** Resolves HEAD without the object that it names. */
async function namesCommit(view: GitView): Promise<boolean> {
  return (await view.inWorkTree(['rev-parse', '--verify', '--quiet', 'HEAD'])).exitCode === 0;
}

async function unknownName(view: GitView, name: string): Promise<CollabError> {
  const result = await view.inWorkTree([
    'for-each-ref',
    '--count=5000',
    '--format=%(refname:lstrip=2)',
    'refs/heads',
    'refs/remotes',
    'refs/tags',
  ]);
  const names = result.stdout
    .toString('utf8')
    .split('\n')
    .filter((known) => known !== '');
  const near = nearestFew(name, [...names, 'HEAD'], 3);
  const shallow = await isShallow(view);
  const remedies = [
    ...(near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : []),
    ...(shallow ? [`This clone is shallow. ${shallowRemedy}`] : []),
  ];
  return new CollabError('range', `git finds no commit "${name}"`, {
    hint: remedies.length > 0 ? remedies.join(' ') : 'See the existing ones: git branch --all',
    details: { name, nearest: near },
  });
}

async function isShallow(view: GitView): Promise<boolean> {
  return isFile(join(view.repository.commonDir, 'shallow'));
}

async function readShallow(view: GitView): Promise<string | null> {
  return readSmallFile(join(view.repository.commonDir, 'shallow'));
}
