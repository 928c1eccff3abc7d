/** Publishes a saved result on the pull request that it is about. */
import { createHash } from 'node:crypto';
import { CollabError } from '../../errors/collab-error.ts';
import { describePullRequest, type PullRequestName } from '../../forge/contract.ts';
import { openRoundHost } from '../../forge/open-forge.ts';
import { createMarks } from '../../forge/round/marks.ts';
import { describeRound, publishRound, type RoundReport } from '../../forge/round/publish-round.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import { readText } from '../../system/files/read.ts';
import { sha256 } from '../../text/digest.ts';
import { checkCacheKey } from '../cache/cache-secret.ts';
import { readReviewResultFile } from '../folder/named-result.ts';
import { readChangeWords } from '../start/change-words.ts';
import { findForgeRepository } from '../start/pull-request.ts';
import type { StartPlace } from '../start/start-place.ts';

export interface PublishRequest {
  /** The result of a review. */
  readonly file: string;
  /** `pr:123`, or the address of the page. */
  readonly words: string;
  readonly skipDrafts: boolean;
}

type PublishPlace = Pick<StartPlace, 'cwd' | 'env' | 'clock' | 'signal'>;

/** Returns what was done, in words. @throws CollabError `usage`, `result_file`, and the codes of `ForgeError` */
export async function publishResult(
  { file, words, skipDrafts }: PublishRequest,
  place: PublishPlace,
): Promise<string> {
  const { env, clock, signal, cwd } = place;
  checkCacheKey(env);
  const result = readReviewResultFile(file);
  const name = await pullRequestOf(words, place);
  const key = env['COLLAB_CACHE_KEY'] ?? '';
  const secret = key === '' ? null : createHash('sha256').update(`round:${key}`).digest();
  const marks = createMarks({ scope: `${name.server}/${describePullRequest(name)}`, secret });
  const repositoryRoot = (await findRepository(cwd))?.root ?? null;
  const host = await openRoundHost(name, { env, clock, signal, repositoryRoot }, marks);
  const digest = sha256(readText(file));
  const report = await publishRound({ host, marks, result, digest, skipDrafts, clock, signal });
  return describeReport(report, describePullRequest(name), host.note);
}

async function pullRequestOf(words: string, place: PublishPlace): Promise<PullRequestName> {
  const named = readChangeWords(/^\d+$/.test(words) ? `pr:${words}` : words);
  if (named.kind === 'pull_request') return named.name;
  if (named.kind === 'pull_request_here')
    return { ...(await findForgeRepository(named.forge, place)), number: named.number };
  throw new CollabError('usage', `"${words}" names no pull request`, {
    hint: 'write pr:<number>, or the address of its page',
  });
}

function describeReport(report: RoundReport, pull: string, note: string): string {
  if (!report.published) return `nothing is published on ${pull}: ${reasons[report.because]}\n`;
  const { round, url, counts, evidence } = report;
  const proof =
    evidence === null
      ? 'the token may write neither a check run nor a commit status'
      : `a ${evidence} proves it`;
  return `${pull}, round ${round}: ${describeRound(counts)}; ${proof} (${note})\n${url}\n`;
}

const reasons = {
  newer_head: 'it has another head than the reviewed one',
  other_change: 'its change is not the reviewed one',
  draft: 'it is a draft',
  closed: 'it is closed',
} as const;
