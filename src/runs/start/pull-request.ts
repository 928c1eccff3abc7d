/** Reads a pull request: from its host, and its change from this repository if it has the commits. */
import { CollabError } from '../../errors/collab-error.ts';
import { readRemoteAddress, repositoryOfJob } from '../../forge/addresses.ts';
import {
  describePullRequest,
  displayForge,
  type ForgeKind,
  type ForgeRepository,
  type PullRequest,
  type PullRequestName,
} from '../../forge/contract.ts';
import { openForge } from '../../forge/open-forge.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import { readRemotes } from '../../git/repository/remotes.ts';
import { openView } from '../../git/repository/shared-view.ts';
import type { SettledChange } from './change-request.ts';
import type { StartPlace } from './start-place.ts';

export type PullRequestPlace = Pick<StartPlace, 'cwd' | 'env' | 'clock' | 'signal' | 'view' | 'tellWait'>;

/** @throws CollabError `input`, `auth`, `rate_limit`, `network`, `overloaded`, `protocol` */
export async function readPullRequest(
  name: PullRequestName,
  { cwd, env, clock, signal, view, tellWait }: PullRequestPlace,
): Promise<SettledChange> {
  const root = (await findRepository(cwd))?.root ?? null;
  const forge = await openForge(name, { env, repositoryRoot: root, clock, signal, tellWait });
  const pull = await forge.readPullRequest();
  const title = `pull request ${describePullRequest(name)} at ${pull.head.slice(0, 12)}`;
  const isHere = await hasCommits(pull, { cwd, env, signal, view });
  const change: ChangeRequest = isHere
    ? { kind: 'range', range: `${pull.base}...${pull.head}`, title }
    : { kind: 'stdin', text: await forge.readDiff(), title };
  const text = `${pull.title}\n\n${pull.body}`.slice(0, mostCharacters);
  return { change, pullRequest: text, notes: [`the pull request is read from ${forge.note}`] };
}

/** Finds the repository whose pull requests have numbers here. @throws CollabError `usage` */
export async function findForgeRepository(
  wanted: ForgeKind | null,
  place: Pick<StartPlace, 'cwd' | 'env' | 'signal'>,
): Promise<ForgeRepository> {
  const found = await lookForForgeRepository(wanted, place);
  if (found !== null) return found;
  throw new CollabError(
    'usage',
    `no remote of ${place.cwd} is at ${wanted === null ? 'GitHub or GitLab' : displayForge(wanted)}`,
    { hint: 'name the pull request by the address of its page: collab review https://…/pull/123' },
  );
}

/** Returns null if neither the job nor a remote names one. */
export async function lookForForgeRepository(
  wanted: ForgeKind | null,
  { cwd, env, signal }: Pick<StartPlace, 'cwd' | 'env' | 'signal'>,
): Promise<ForgeRepository | null> {
  const isWanted = (found: ForgeRepository | null): boolean =>
    found !== null && (wanted === null || found.forge === wanted);
  const ofJob = repositoryOfJob(env);
  if (isWanted(ofJob)) return ofJob;
  const repository = await findRepository(cwd);
  const remotes = repository === null ? [] : await readRemotes(repository, { env, signal });
  return remotes.map((address) => readRemoteAddress(address, env, wanted)).find(isWanted) ?? null;
}

/** As long as `--pr-text`; a request shows less. */
const mostCharacters = 256 * 1024;

/** A shallow clone may have the commits without those between them. */
async function hasCommits(
  { base, head }: PullRequest,
  { cwd, ...options }: Pick<PullRequestPlace, 'cwd' | 'env' | 'signal' | 'view'>,
): Promise<boolean> {
  const repository = await findRepository(cwd);
  if (repository === null) return false;
  const view = await openView(repository, options);
  try {
    for (const commit of [base, head])
      if ((await view.objects.id(`${commit}^{commit}`)) === null) return false;
    return (await view.inWorkTree(['merge-base', base, head])).exitCode === 0;
  } finally {
    await view.close();
  }
}
