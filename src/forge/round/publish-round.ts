/**
 * Publishes one round of a review. Each write is found again by its mark: a process that is killed at any request, and another one
 * that does the same, leave nothing twice.
 */
import { CollabError } from '../../errors/collab-error.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { sha256 } from '../../text/digest.ts';
import { renderCount } from '../../text/quantities.ts';
import { summarise } from '../../views/reports/summary.ts';
import type { PullRequest } from '../contract.ts';
import { ForgeError } from '../forge-error.ts';
import { fixedMark, roundMark, type Marks, type RoundState } from './marks.ts';
import {
  planRound,
  type PlannedComment,
  type PlannedFinding,
  type RoundFacts,
  type RoundPlan,
} from './plan-round.ts';
import { repeatUncertain } from './repeat-uncertain.ts';
import type { RoundHost, RoundOnHost } from './round-host.ts';
import { evidenceOf, writeComment, writeSummaryBody, type NumberedComment } from './round-texts.ts';

export interface RoundOptions {
  readonly host: RoundHost;
  readonly marks: Marks;
  readonly result: ReviewResult;
  /** SHA-256 of the result's file. */
  readonly digest: string;
  readonly skipDrafts: boolean;
}

export type RoundReport =
  | { readonly published: false; readonly because: 'newer_head' | 'other_change' | 'draft' | 'closed' }
  | {
      readonly published: true;
      readonly round: number;
      readonly url: string;
      readonly counts: RoundCounts;
      readonly evidence: 'check run' | 'commit status' | null;
    };

export interface RoundCounts {
  readonly posted: number;
  readonly stillThere: number;
  readonly fixed: number;
  readonly heldBack: number;
}

/** @throws ForgeError if the host refuses what every round needs */
export async function publishRound(options: RoundOptions): Promise<RoundReport> {
  const { host } = options;
  let pull: PullRequest | null = null;
  try {
    return await repeatUncertain(host.waits, async () => {
      pull ??= await host.readPullRequest();
      return publishOnce(options, pull);
    });
  } catch (error) {
    if (pull !== null) await tellFailure(options, pull, error);
    throw error;
  }
}

async function publishOnce(options: RoundOptions, pull: PullRequest): Promise<RoundReport> {
  const { host, marks, result, digest, skipDrafts } = options;
  const { input } = result;
  if (!pull.isOpen) return { published: false, because: 'closed' };
  if (skipDrafts && pull.isDraft) return { published: false, because: 'draft' };
  if (input.head !== null && input.head !== pull.head) return { published: false, because: 'newer_head' };
  const diff = await readDiff(host);
  // A diff from elsewhere names no commit.
  if (input.head === null && (diff === null || sha256(diff) !== input.digest))
    return { published: false, because: 'other_change' };
  const files = diff === null ? null : parseUnifiedDiff(diff).files;
  const planFor = (found: RoundOnHost, given: Pick<RoundFacts, 'numbers'> = {}): RoundPlan =>
    planRound({ ...found, ...given, result, head: pull.head, files, last: lastRound(found, marks) });
  const before = await host.readRound();
  if (before.head !== pull.head) return { published: false, because: 'newer_head' };
  const plan = planFor(before);
  const posted = plan.findings.flatMap((one) =>
    one.at === 'comment' ? [{ ...one.comment, number: one.number ?? 0 }] : [],
  );
  await postComments(options, { head: pull.head, plan, comments: posted });
  await resolveThreads(options, pull.head, plan);
  const after = posted.length === 0 ? before : await host.readRound();
  if (after.head !== pull.head) return { published: false, because: 'newer_head' };
  const url = await writeSummary(options, { pull, plan, found: after, now: planFor(after, plan.state) });
  const evidence = await host.putEvidence(evidenceOf({ result, digest, plan, head: pull.head, url }));
  return { published: true, round: plan.state.round, url, counts: countRound(plan, posted), evidence };
}

/** Returns null for a change that is too large for the host. */
async function readDiff(host: RoundHost): Promise<string | null> {
  return host.readDiff().catch((error: unknown) => {
    if (error instanceof ForgeError && error.status === 406) return null;
    throw error;
  });
}

/** Returns the state in the summary; null if there is none. */
export function lastRound({ summaries: [first] }: RoundOnHost, marks: Marks): RoundState | null {
  return first === undefined ? null : marks.read(roundMark, first.body);
}

interface Posting {
  readonly head: string;
  readonly plan: RoundPlan;
  readonly comments: readonly NumberedComment[];
}

/** One review has all comments on lines; a host that refuses one of them refuses all, and then they are posted one by one. */
async function postComments(options: RoundOptions, { head, plan, comments }: Posting): Promise<void> {
  const onLines = comments.filter(({ place }) => place.lines !== null);
  const onFiles = comments.filter(({ place }) => place.lines === null);
  if (onLines.length > 0 && !(await postedAtOnce(options, { head, plan, comments: onLines })))
    for (const comment of onLines) await postOne(options, { head, plan }, comment);
  for (const comment of onFiles) await postOne(options, { head, plan }, comment);
}

/** Returns false if nothing was posted. */
async function postedAtOnce(options: RoundOptions, { head, plan, comments }: Posting): Promise<boolean> {
  const { host, result } = options;
  if (host.postReview === null) return false;
  const body = `collab, round ${plan.state.round}: ${summarise(result).headline}`;
  const written = comments.map((comment) => writeComment(options, comment, plan.state.round));
  try {
    await host.postReview({ head, body, comments: written });
    return true;
  } catch (error) {
    if (!isRefusedComment(error)) throw error;
    return false;
  }
}

/** A comment that is refused on its lines is posted on its file; refused there too, the summary has it. */
async function postOne(
  options: RoundOptions,
  { head, plan }: Omit<Posting, 'comments'>,
  comment: NumberedComment,
): Promise<void> {
  const onFile: NumberedComment = { ...comment, place: { ...comment.place, lines: null } };
  for (const one of comment.place.lines === null ? [onFile] : [comment, onFile]) {
    try {
      return await options.host.postComment(head, writeComment(options, one, plan.state.round));
    } catch (error) {
      if (!isRefusedComment(error)) throw error;
    }
  }
}

function isRefusedComment(error: unknown): boolean {
  return error instanceof ForgeError && (error.status === 422 || error.status === 400);
}

/** The first refusal shows what the login may do: the other threads get a reply at once. */
async function resolveThreads(
  { host, marks }: RoundOptions,
  head: string,
  { resolve, settle, reopen }: RoundPlan,
): Promise<void> {
  let mayResolve = true;
  for (const thread of resolve) {
    if (mayResolve) {
      mayResolve = await tryIfAllowed(() => host.resolve(thread));
      if (mayResolve) continue;
    }
    const { identity } = thread.finding;
    if (!thread.isAnswered)
      await host.reply(thread, `${marks.write(fixedMark, { identity })}\n\nFixed in ${head}.\n`);
  }
  for (const thread of settle) if (mayResolve) mayResolve = await tryIfAllowed(() => host.resolve(thread));
  for (const thread of reopen) if (mayResolve) mayResolve = await tryIfAllowed(() => host.reopen(thread));
}

/** Returns false if the login has no right to do it. */
export async function tryIfAllowed(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof ForgeError && error.code === 'auth') return false;
    throw error;
  }
}

interface SummaryFacts {
  readonly pull: PullRequest;
  readonly plan: RoundPlan;
  readonly found: RoundOnHost;
  /** The plan with the threads that are there now: what it would still post did not arrive. */
  readonly now: RoundPlan;
}

async function writeSummary(
  { host, marks, result, digest }: RoundOptions,
  { pull, plan, found, now }: SummaryFacts,
): Promise<string> {
  const [former = null, ...others] = found.summaries;
  const body = writeSummaryBody({ marks, result, digest, head: pull.head, plan, now });
  const url = await host.putSummary(former, body);
  for (const other of others) await host.removeSummary(other);
  return url;
}

/** A job whose review did not arrive must not look like one without findings. */
async function tellFailure({ host, digest }: RoundOptions, pull: PullRequest, error: unknown): Promise<void> {
  const why = error instanceof CollabError ? error.message : 'an internal error';
  const title = 'the review did not reach the pull request';
  const evidence = { head: pull.head, isPassed: false, title, text: `${title}: ${why}`, digest, url: null };
  await host.putEvidence(evidence).catch(() => undefined);
}

function countRound({ findings, state }: RoundPlan, posted: readonly PlannedComment[]): RoundCounts {
  const count = (at: PlannedFinding['at']) => findings.filter((one) => one.at === at).length;
  return {
    posted: posted.length,
    stillThere: count('thread'),
    fixed: state.fixed.length,
    heldBack: count('held_back'),
  };
}

/** `3 comments posted, 1 still there, 2 fixed`. */
export function describeRound({ posted, stillThere, fixed, heldBack }: RoundCounts): string {
  return [
    `${renderCount(posted, 'comment')} posted`,
    `${stillThere} still there`,
    `${fixed} fixed`,
    ...(heldBack === 0 ? [] : [`${heldBack} held back`]),
  ].join(', ');
}
