/**
 * Publishes one round of a review. Each write is found again by its mark: a process that is killed at any request, and another one
 * that does the same, leave nothing twice.
 */
import { CollabError } from '../../errors/collab-error.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import type { Clock } from '../../system/clock.ts';
import { sha256 } from '../../text/digest.ts';
import { renderCount } from '../../text/quantities.ts';
import { summarise } from '../../views/reports/summary.ts';
import { renderCommentBody } from '../../views/rounds/comment-body.ts';
import { renderRoundSummary, summaryMark, type SummaryFinding } from '../../views/rounds/summary-body.ts';
import type { PullRequest } from '../contract.ts';
import { ForgeError } from '../forge-error.ts';
import { findingMark, fixedMark, roundMark, type MarkedFinding, type Marks } from './marks.ts';
import { planRound, type PlannedComment, type PlannedFinding, type RoundPlan } from './plan-round.ts';
import type { RoundComment, RoundHost, RoundOnHost } from './round-host.ts';

export interface RoundOptions {
  readonly host: RoundHost;
  readonly marks: Marks;
  readonly result: ReviewResult;
  /** SHA-256 of the result's file. */
  readonly digest: string;
  readonly skipDrafts: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
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
  readonly resolved: number;
  readonly heldBack: number;
}

const mostAttempts = 4;
const firstWaitMs = 1000;

/** @throws ForgeError if the host refuses what every round needs */
export async function publishRound(options: RoundOptions): Promise<RoundReport> {
  const { host, clock, signal } = options;
  let pull: PullRequest | null = null;
  for (let attempt = 1; ; attempt++) {
    try {
      pull ??= await host.readPullRequest();
      return await publishOnce(options, pull);
    } catch (error) {
      // The next attempt reads the effect of an uncertain request.
      const isPassing = error instanceof ForgeError && error.isUncertain;
      if (isPassing && attempt < mostAttempts) {
        await clock.sleep(firstWaitMs * 2 ** (attempt - 1), signal);
        continue;
      }
      if (pull !== null) await tellFailure(options, pull, error);
      throw error;
    }
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
  const planFor = (found: RoundOnHost): RoundPlan =>
    planRound({ result, head: pull.head, files, threads: found.threads, last: lastRound(found, marks) });
  const before = await host.readRound();
  if (before.head !== pull.head) return { published: false, because: 'newer_head' };
  const plan = planFor(before);
  const posted = plan.findings.flatMap((one) => (one.at === 'comment' ? [one.comment] : []));
  await postComments(options, { head: pull.head, plan, comments: posted });
  await resolveThreads(options, pull.head, plan);
  const after = posted.length === 0 ? before : await host.readRound();
  if (after.head !== pull.head) return { published: false, because: 'newer_head' };
  const url = await writeSummary(options, { pull, plan, found: after, now: planFor(after) });
  const evidence = await host.putEvidence({
    ...evidenceText(result, digest),
    head: pull.head,
    isPassed: result.state === 'ended' && result.exit_code === 0,
    digest,
    url,
  });
  return { published: true, round: plan.state.round, url, counts: countRound(plan, posted), evidence };
}

/** Returns null for a change that is too large for the host. */
async function readDiff(host: RoundHost): Promise<string | null> {
  return host.readDiff().catch((error: unknown) => {
    if (error instanceof ForgeError && error.status === 406) return null;
    throw error;
  });
}

function lastRound({ summaries: [first] }: RoundOnHost, marks: Marks) {
  return first === undefined ? null : marks.read(roundMark, first.body);
}

interface Posting {
  readonly head: string;
  readonly plan: RoundPlan;
  readonly comments: readonly PlannedComment[];
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
  const written = comments.map((comment) => writtenComment(options, comment, plan));
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
  comment: PlannedComment,
): Promise<void> {
  const onFile: PlannedComment = { ...comment, place: { ...comment.place, lines: null } };
  for (const one of comment.place.lines === null ? [onFile] : [comment, onFile]) {
    try {
      return await options.host.postComment(head, writtenComment(options, one, plan));
    } catch (error) {
      if (!isRefusedComment(error)) throw error;
    }
  }
}

function isRefusedComment(error: unknown): boolean {
  return error instanceof ForgeError && (error.status === 422 || error.status === 400);
}

function writtenComment(
  { host, marks, result }: RoundOptions,
  { finding, place, hasSuggestion }: PlannedComment,
  { state: { round } }: RoundPlan,
): RoundComment {
  const { lines } = place;
  const suggestion = hasSuggestion && lines !== null ? host.suggestionOf(lines.end - lines.start + 1) : null;
  const { identity, severity, title, path, quote, anchor, source, claim, side } = finding;
  const marked: MarkedFinding = {
    identity,
    severity,
    path,
    side,
    round,
    assurance: result.assurance,
    title: title.slice(0, longestTitle),
    quote: (quote?.length ?? 0) > longestQuote ? null : quote,
    ...(anchor === undefined || anchor.line.length > longestQuote ? {} : { anchor }),
    ...(source === undefined ? {} : { source }),
    ...(claim === undefined ? {} : { claim }),
  };
  const body = renderCommentBody(finding, { suggestion, isAway: lines === null });
  return { place, body: `${marks.write(findingMark, marked)}\n\n${body}` };
}

const longestTitle = 300;
/** In characters; a mark takes four thirds of it. */
const longestQuote = 3000;

/** The first refusal shows what the login may do: the other threads get a reply at once. */
async function resolveThreads(
  { host, marks }: RoundOptions,
  head: string,
  { resolve, reopen }: RoundPlan,
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
  for (const thread of reopen) if (mayResolve) mayResolve = await tryIfAllowed(() => host.reopen(thread));
}

/** Returns false if the login has no right to do it. */
async function tryIfAllowed(act: () => Promise<void>): Promise<boolean> {
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
  const body = renderRoundSummary({
    result,
    digest,
    head: pull.head,
    round: plan.state.round,
    findings: now.findings.flatMap((one) => summaryFinding(one, plan)),
    heldBack: plan.findings.flatMap(({ finding, at }) => (at === 'held_back' ? [finding] : [])),
    fixed: plan.resolve.length,
    kept: plan.kept.map(({ finding: { title }, url }) => ({ title, url })),
  });
  const [former = null, ...others] = found.summaries;
  const whole = `${summaryMark}\n${marks.write(roundMark, plan.state)}\n\n${body}`;
  const url = await host.putSummary(former, whole);
  for (const summary of others) await host.removeSummary(summary);
  return url;
}

function summaryFinding(one: PlannedFinding, { state, reopen }: RoundPlan): readonly SummaryFinding[] {
  const { finding } = one;
  if (one.at === 'held_back') return [];
  if (one.at !== 'thread') return [{ finding, url: null, state: 'summary' }];
  const { id, url, isResolved, finding: marked } = one.thread;
  if (isResolved && !reopen.some((thread) => thread.id === id)) return [{ finding, url, state: 'dismissed' }];
  return [{ finding, url, state: marked.round === state.round ? 'new' : 'still_there' }];
}

function evidenceText(
  result: ReviewResult,
  digest: string,
): { readonly title: string; readonly text: string } {
  const { headline, coverage, exit } = summarise(result);
  return { title: headline, text: [coverage, exit, `SHA-256 of the result: ${digest}`].join('\n\n') };
}

/** A job whose review did not arrive must not look like one without findings. */
async function tellFailure({ host, digest }: RoundOptions, pull: PullRequest, error: unknown): Promise<void> {
  const why = error instanceof CollabError ? error.message : 'an internal error';
  const title = 'the review did not reach the pull request';
  const evidence = { head: pull.head, isPassed: false, title, text: `${title}: ${why}`, digest, url: null };
  await host.putEvidence(evidence).catch(() => undefined);
}

function countRound({ findings, resolve }: RoundPlan, posted: readonly PlannedComment[]): RoundCounts {
  const count = (at: PlannedFinding['at']) => findings.filter((one) => one.at === at).length;
  return {
    posted: posted.length,
    stillThere: count('thread'),
    resolved: resolve.length,
    heldBack: count('held_back'),
  };
}

/** `3 posted, 1 still there, 2 resolved`. */
export function describeRound({ posted, stillThere, resolved, heldBack }: RoundCounts): string {
  return [
    `${renderCount(posted, 'comment')} posted`,
    `${stillThere} still there`,
    `${resolved} resolved`,
    ...(heldBack === 0 ? [] : [`${heldBack} held back`]),
  ].join(', ');
}
