/** Finds the pull request that words name, and the marks that count on it. */
import { createHash } from 'node:crypto';
import { CollabError } from '../../errors/collab-error.ts';
import { describePullRequest, type PullRequestName } from '../../forge/contract.ts';
import type { ForgePlace } from '../../forge/open-forge.ts';
import { createMarks, type Marks } from '../../forge/round/marks.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import { readChangeWords } from '../start/change-words.ts';
import { findForgeRepository } from '../start/pull-request.ts';
import type { StartPlace } from '../start/start-place.ts';

export type WritingPlace = Pick<StartPlace, 'cwd' | 'env' | 'clock' | 'signal' | 'tellWait'>;

export interface NamedPullRequest {
  readonly name: PullRequestName;
  readonly marks: Marks;
  readonly forgePlace: ForgePlace;
}

/** @throws CollabError `usage` for words that name none */
export async function openPullRequest(words: string, place: WritingPlace): Promise<NamedPullRequest> {
  const { env, clock, signal, cwd, tellWait } = place;
  const name = await pullRequestOf(words, place);
  const key = env['COLLAB_CACHE_KEY'] ?? '';
  const secret = key === '' ? null : createHash('sha256').update(`round:${key}`).digest();
  const marks = createMarks({ scope: `${name.server}/${describePullRequest(name)}`, secret });
  const repositoryRoot = (await findRepository(cwd))?.root ?? null;
  return { name, marks, forgePlace: { env, clock, signal, tellWait, repositoryRoot } };
}

async function pullRequestOf(words: string, place: WritingPlace): Promise<PullRequestName> {
  const named = readChangeWords(/^\d+$/.test(words) ? `pr:${words}` : words);
  if (named.kind === 'pull_request') return named.name;
  if (named.kind === 'pull_request_here')
    return { ...(await findForgeRepository(named.forge, place)), number: named.number };
  throw new CollabError('usage', `"${words}" names no pull request`, {
    hint: 'write pr:<number>, or the address of its page',
  });
}
