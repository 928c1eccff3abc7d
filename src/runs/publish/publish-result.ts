/** Publishes a saved result on the pull request that it is about. */
import { describePullRequest } from '../../forge/contract.ts';
import { openRoundHost } from '../../forge/open-forge.ts';
import { describeRound, publishRound, type RoundReport } from '../../forge/round/publish-round.ts';
import { checkCacheKey } from '../cache/cache-secret.ts';
import { readReviewResultWithDigest } from '../folder/named-result.ts';
import { openPullRequest, type WritingPlace } from './open-pull-request.ts';

export interface PublishRequest {
  /** The result of a review. */
  readonly file: string;
  /** `pr:123`, or the address of the page. */
  readonly words: string;
  readonly skipDrafts: boolean;
}

/** Returns what was done, in words. @throws CollabError `usage`, `result_file`, and the codes of `ForgeError` */
export async function publishResult(
  { file, words, skipDrafts }: PublishRequest,
  place: WritingPlace,
): Promise<string> {
  checkCacheKey(place.env);
  // A pipe can be read only once, and another process may replace a file.
  const { result, digest } = readReviewResultWithDigest(file);
  const { name, marks, forgePlace } = await openPullRequest(words, place);
  const host = await openRoundHost(name, forgePlace, marks);
  const report = await publishRound({ host, marks, result, digest, skipDrafts });
  return describeReport(report, describePullRequest(name), host.note);
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
