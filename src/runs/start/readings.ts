/** Finds the meanings of a bare word such as `123` or `main`. A reading counts only if it names a change. */
import { CollabError } from '../../errors/collab-error.ts';
import { describePullRequest, type PullRequestName } from '../../forge/contract.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { findBranch, findMainBranch, hasCommitsSince } from '../../git/repository/branches.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import type { GitView } from '../../git/repository/git-view.ts';
import { openView } from '../../git/repository/shared-view.ts';
import { isNumber } from './change-words.ts';
import { lookForForgeRepository } from './pull-request.ts';
import type { StartPlace } from './start-place.ts';

export type ChangeReading = ChangeRequest | { readonly kind: 'pull_request'; readonly name: PullRequestName };

interface Found {
  readonly reading: ChangeReading;
  /** In words, with the unmistakable form. */
  readonly means: string;
}

type ReadingPlace = Pick<StartPlace, 'cwd' | 'env' | 'signal' | 'view'>;

/**
 * Returns the only reading; null if there is none. `file` is the existing file of this name, if there is one.
 * @throws CollabError `usage` if there are several
 */
export async function chooseReading(
  words: string,
  file: ChangeRequest | null,
  place: ReadingPlace,
): Promise<ChangeReading | null> {
  const ofFile = file === null ? [] : [{ reading: file, means: `the diff file ./${words}` }];
  const found: readonly Found[] = [
    ...ofFile,
    ...(await pullRequestsNamed(words, place)),
    ...(await withView(place, (view) => commitsNamed(view, words), [])),
  ];
  const [first, second] = found;
  if (second === undefined) return first?.reading ?? null;
  const meanings = found.map(({ means }) => means).join('; or ');
  throw new CollabError('usage', `"${words}" has ${found.length} meanings`, {
    hint: `write which: ${meanings}`,
  });
}

/** The commits of a branch since it left the main one. @throws CollabError `range` */
export async function changeOfBranch(name: string, place: ReadingPlace): Promise<ChangeRequest> {
  const change = await withView(place, (view) => sinceMain(view, name), null);
  if (change === null) throw new CollabError('range', `${place.cwd} is not in a git repository`);
  return change;
}

async function sinceMain(view: GitView, name: string): Promise<ChangeRequest> {
  const [branch, main] = [(await findBranch(view, name)) ?? name, await findMainBranch(view)];
  if (main === null) {
    throw new CollabError('range', `there is no main branch to compare ${name} with`, {
      hint: `name it: collab review <branch>...${name}`,
    });
  }
  if (isSameBranch(branch, main)) {
    throw new CollabError('range', `${name} is the branch that others are compared with`, {
      hint: `review what you have changed since: collab review --base ${name}`,
    });
  }
  return { kind: 'range', range: `${main}...${branch}` };
}

async function pullRequestsNamed(words: string, place: ReadingPlace): Promise<readonly Found[]> {
  if (!isNumber(words)) return [];
  const repository = await lookForForgeRepository(null, place);
  if (repository === null) return [];
  const name = { ...repository, number: Number(words) };
  return [
    {
      reading: { kind: 'pull_request', name },
      means: `the pull request ${describePullRequest(name)}: pr:${words}`,
    },
  ];
}

async function commitsNamed(view: GitView, words: string): Promise<readonly Found[]> {
  if (words.startsWith('-') || (await view.objects.id(`${words}^{commit}`)) === null) {
    const remote = await findBranch(view, words);
    return remote === null ? [] : branchReadings(view, words, remote);
  }
  const branch = await findBranch(view, words);
  if (branch !== null) return branchReadings(view, words, branch);
  const isId = /^[0-9a-f]{4,64}$/.test(words) || /^(?:HEAD|@)$/.test(words);
  const commit: Found = {
    reading: { kind: 'commit', sha: words },
    means: `that commit alone: commit:${words}`,
  };
  return isId ? [commit] : [commit, ...(await sinceReading(view, words, words))];
}

async function branchReadings(view: GitView, words: string, branch: string): Promise<readonly Found[]> {
  const main = await findMainBranch(view);
  const isOwn = main !== null && !isSameBranch(branch, main) && (await hasCommitsSince(view, main, branch));
  const own: Found = {
    reading: { kind: 'range', range: `${main}...${branch}` },
    means: `the commits of ${words} since ${main}: branch:${words}`,
  };
  return [...(isOwn ? [own] : []), ...(await sinceReading(view, words, branch))];
}

async function sinceReading(view: GitView, words: string, ref: string): Promise<readonly Found[]> {
  if (!(await hasCommitsSince(view, ref, 'HEAD'))) return [];
  return [
    {
      reading: { kind: 'base', ref },
      means: `the commits of this branch since ${words}: --base ${ref}`,
    },
  ];
}

function isSameBranch(left: string, right: string): boolean {
  return left.replace(/^origin\//, '') === right.replace(/^origin\//, '');
}

async function withView<Value>(
  { cwd, env, signal, view: shared }: ReadingPlace,
  read: (view: GitView) => Promise<Value>,
  otherwise: Value,
): Promise<Value> {
  const repository = await findRepository(cwd);
  if (repository === null) return otherwise;
  const view = await openView(repository, { env, signal, view: shared });
  try {
    return await read(view);
  } finally {
    await view.close();
  }
}
