/** Decides what one round of a review does on its pull request: a pure function of what is there and what was found. */
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome, inReportOrder, isBesideTheChange } from '../../events/findings.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { linesOfText } from '../../review/findings/anchor-line.ts';
import type { FormerFinding } from '../../review/findings/known-findings.ts';
import { lacksAnchor, matchFindings } from '../../review/findings/match-findings.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { digestChangedLines, readChangedLines } from './changed-lines.ts';
import { canSuggest, linesOfFinding, placeComment, type CommentPlace } from './comment-place.ts';
import {
  shortIdentity,
  type MarkedFinding,
  type NumberedFinding,
  type RoundDismissal,
  type RoundState,
} from './marks.ts';
import { dismissalsOf, findDismissal, numberFindings } from './number-findings.ts';

/** A thread that an earlier round began. */
export interface OwnThread {
  /** The host's id of the thread. */
  readonly id: string;
  /** The host's id of its first comment. */
  readonly commentId: string;
  readonly url: string;
  /** Its first comment. */
  readonly body: string;
  readonly finding: MarkedFinding;
  readonly isResolved: boolean;
  /** True if it has our reply that its finding is fixed. */
  readonly isAnswered: boolean;
  /** The dismissal in our reply; null if there is none. */
  readonly dismissed: RoundDismissal | null;
}

export interface RoundFacts {
  readonly result: ReviewResult;
  readonly head: string;
  /** The change of the pull request; null if the host does not send it. */
  readonly files: readonly DiffFile[] | null;
  readonly threads: readonly OwnThread[];
  /** The state that the last round left; null in the first one. */
  readonly last: RoundState | null;
  /** Dismissals in the conversation. */
  readonly dismissed: readonly RoundDismissal[];
  /** Numbers that this round has given already. */
  readonly numbers?: readonly NumberedFinding[];
}

export interface PlannedComment {
  readonly finding: Finding;
  readonly place: CommentPlace;
  readonly hasSuggestion: boolean;
}

/** The place of a finding on the pull request. */
export type PlannedFinding = PlacedFinding & {
  /** Kept over rounds; null for a finding that is held back. */
  readonly number: number | null;
  readonly dismissal: RoundDismissal | null;
};

export type PlacedFinding = { readonly finding: Finding } & (
  | { readonly at: 'thread'; readonly thread: OwnThread }
  | { readonly at: 'comment'; readonly comment: PlannedComment }
  /** It has no place in the change, or there are too many. */
  | { readonly at: 'summary' }
  /** A new Minor on lines that the last round showed. */
  | { readonly at: 'held_back' }
);

export interface RoundPlan {
  readonly state: RoundState;
  /** The findings that count, in the order of reports. */
  readonly findings: readonly PlannedFinding[];
  /** Threads whose finding is gone, or does not count anymore. */
  readonly resolve: readonly OwnThread[];
  /** Open threads of findings that a person dismissed. */
  readonly settle: readonly OwnThread[];
  /** Threads whose finding was gone and is back. */
  readonly reopen: readonly OwnThread[];
  /** Open threads whose lines are still there, though this review did not report them, or did not look. */
  readonly kept: readonly OwnThread[];
}

/** More comments in one request are refused by hosts as abuse. */
const mostComments = 60;

export function planRound(facts: RoundFacts): RoundPlan {
  const { result, head, threads, last } = facts;
  const files = facts.files ?? [];
  const round = last === null ? 1 : last.round + (last.head === head ? 0 : 1);
  const lines = digestChangedLines(files);
  const groups = groupThreads(threads, files);
  const former = groups.map((group) => group.former);
  const pairs = matchFindings(former, result.findings);
  const groupOf = new Map(pairs.map((pair) => [pair.present, groups[former.indexOf(pair.former)]]));
  const counted = inReportOrder(result.findings).filter(countsInOutcome);
  const placed = placeFindings(counted, (finding) => groupOf.get(finding)?.threads[0] ?? null, facts);
  const dismissals = dismissalsOf(facts);
  const dismissalOf = (finding: Finding): RoundDismissal | null =>
    findDismissal(dismissals, finding, groupOf.get(finding)?.former.marked ?? null);
  const { numberOf, next, numbers } = numberFindings(
    placed.map((one) => ({ one, marked: groupOf.get(one.finding)?.former.marked ?? null })),
    { threads, kept: facts.numbers ?? last?.numbers ?? [], next: last?.next ?? 1, dismissals },
  );
  const findings = placed.map((one) => ({
    ...one,
    number: numberOf.get(one.finding) ?? null,
    dismissal: dismissalOf(one.finding),
  }));
  const common = { round, head, lines, next, numbers, dismissed: [...dismissals] };
  // A round that is written again, by this review or another one of its head, has counted some of them.
  const earlier = last?.head === head ? last.fixed : [];
  if (result.state !== 'ended' || result.outcome === 'failed') {
    const state = { ...common, gone: last?.gone ?? [], fixed: [...earlier] };
    return { state, findings, resolve: [], settle: [], reopen: [], kept: [] };
  }
  const counting = new Set(counted.map((finding) => groupOf.get(finding)));
  const reported = new Set(groupOf.values());
  const present = groups.filter((group) => counting.has(group));
  const absent = groups.filter((group) => !counting.has(group));
  const gone = absent.filter((group) => reported.has(group) || isGone(group.former, facts));
  const wasGone = new Set((last?.gone ?? []).map(shortIdentity));
  const standing = new Set(
    findings.flatMap((one) => (one.dismissal === null ? [] : groupOf.get(one.finding))),
  );
  const isSettled = (group: ThreadGroup): boolean =>
    counting.has(group)
      ? standing.has(group)
      : findDismissal(dismissals, group.former.marked, group.former.marked) !== null;
  const rest = groups.filter((group) => !gone.includes(group));
  const nowGone = gone.map(({ former: { identity } }) => shortIdentity(identity));
  const fixed = nowGone.filter((one) => !wasGone.has(one) || earlier.includes(one));
  return {
    state: { ...common, gone: nowGone, fixed },
    findings,
    resolve: gone.flatMap(openThreads),
    settle: rest.filter(isSettled).flatMap(openThreads),
    reopen: present
      .filter((group) => !isSettled(group))
      .flatMap(({ threads: [first] }) => first)
      .filter(({ isResolved, finding, dismissed: was }) => {
        // A dismissal that does not count for it anymore: it is worse now.
        return isResolved && (was !== null || wasGone.has(shortIdentity(finding.identity)));
      }),
    kept: absent.filter((group) => rest.includes(group) && !isSettled(group)).flatMap(openThreads),
  };
}

/** Threads of one finding: two runs at the same time may have begun one each. */
interface ThreadGroup {
  readonly threads: readonly [OwnThread, ...OwnThread[]];
  readonly former: FollowedFinding;
}

function groupThreads(threads: readonly OwnThread[], files: readonly DiffFile[]): readonly ThreadGroup[] {
  const groups = new Map<string, [OwnThread, ...OwnThread[]]>();
  for (const thread of threads) {
    const group = groups.get(thread.finding.identity);
    if (group === undefined) groups.set(thread.finding.identity, [thread]);
    else group.push(thread);
  }
  return [...groups.values()].map((group) => ({
    threads: group,
    former: followFinding(group[0].finding, files),
  }));
}

function openThreads({ threads }: ThreadGroup): readonly OwnThread[] {
  return threads.filter(({ isResolved }) => !isResolved);
}

interface FollowedFinding extends FormerFinding {
  readonly marked: MarkedFinding;
}

/** Follows a finding through the renames of the change and looks for its line in the change. */
function followFinding(marked: MarkedFinding, files: readonly DiffFile[]): FollowedFinding {
  const renamed = files.find(({ change, oldPath }) => change === 'renamed' && oldPath === marked.path);
  const path = renamed?.path ?? marked.path;
  const ofFile = textsOf(
    files.filter((file) => file.path === path),
    marked.side,
  );
  const isThere = !lacksAnchor(marked, ofFile);
  const isMoved = !lacksAnchor(marked, textsOf(files, marked.side));
  const lineNow = isThere ? 'there' : isMoved ? 'moved' : 'gone';
  return { ...marked, marked, path, line_now: lineNow };
}

function textsOf(files: readonly DiffFile[], side: MarkedFinding['side']): ReadonlySet<string> {
  const left = side === 'old' ? 'added' : 'removed';
  const lines = files
    .flatMap(({ hunks }) => hunks)
    .flatMap((hunk) => hunk.lines)
    .filter(({ kind }) => kind !== left);
  return new Set(linesOfText(lines.map(({ text }) => text).join('\n')));
}

/** A finding is gone if its line is, and the review looked at the file, or the change has the file no more. */
function isGone(former: FollowedFinding, { files, result }: RoundFacts): boolean {
  if (files === null || former.line_now !== 'gone') return false;
  if (!files.some(({ path }) => path === former.path)) return true;
  const status = result.coverage.files.find(({ path }) => path === former.path)?.status;
  return status === 'reviewed' || (status === 'scanned' && former.marked.assurance === 'static');
}

function placeFindings(
  counted: readonly Finding[],
  threadOf: (finding: Finding) => OwnThread | null,
  { files, last, threads, result }: RoundFacts,
): readonly PlacedFinding[] {
  const wasThere = typeof last?.lines === 'string' ? readChangedLines(last.lines) : null;
  const isNarrow = (last !== null || threads.length > 0) && wasThere !== null;
  const hasChanged = (finding: Finding): boolean =>
    linesOfFinding(finding, files ?? []).some(
      (line) => line.kind !== 'context' && wasThere?.(line) === false,
    );
  let room = mostComments;
  return counted.map((finding): PlacedFinding => {
    const thread = threadOf(finding);
    if (thread !== null) return { finding, at: 'thread', thread };
    if (isNarrow && finding.severity === 'minor' && finding.start_line !== null && !hasChanged(finding))
      return { finding, at: 'held_back' };
    const place = isBesideTheChange(finding) ? null : placeOf(finding, files, result);
    if (place === null || room === 0) return { finding, at: 'summary' };
    room -= 1;
    const hasSuggestion = place.lines !== null && canSuggest(finding, files ?? []);
    return { finding, at: 'comment', comment: { finding, place, hasSuggestion } };
  });
}

/** Without the change, a finding of one of its files is a comment on the file. */
function placeOf(
  finding: Finding,
  files: readonly DiffFile[] | null,
  { coverage }: ReviewResult,
): CommentPlace | null {
  if (files !== null) return placeComment(finding, files);
  const { path } = finding;
  const isChanged = coverage.files.some((file) => file.path === path);
  return path === null || !isChanged ? null : { path, oldPath: path, lines: null };
}
