/** Writes the texts of a round: comments, the summary, the evidence, each with its mark. */
import { countFailing } from '../../review/outcome/outcome.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { summarise } from '../../views/reports/summary.ts';
import { renderCommentBody } from '../../views/rounds/comment-body.ts';
import {
  renderRoundSummary,
  summaryMark,
  type RoundSummary,
  type SummaryFinding,
} from '../../views/rounds/summary-body.ts';
import { findingMark, roundMark, type MarkedFinding, type Marks, type RoundState } from './marks.ts';
import type { PlannedComment, PlannedFinding, RoundPlan } from './plan-round.ts';
import type { RoundComment, RoundEvidence, RoundHost } from './round-host.ts';

export interface NumberedComment extends PlannedComment {
  readonly number: number;
}

export interface CommentTexts {
  readonly host: RoundHost;
  readonly marks: Marks;
  readonly result: ReviewResult;
}

const longestTitle = 300;
/** In characters; a mark takes four thirds of it. */
const longestQuote = 3000;

export function writeComment(
  { host, marks, result }: CommentTexts,
  { finding, place, hasSuggestion, number }: NumberedComment,
  round: number,
): RoundComment {
  const { lines } = place;
  const { identity, severity, title, path, quote, anchor, source, claim, side, rejectable } = finding;
  const suggestion =
    hasSuggestion && lines !== null
      ? host.suggestionOf(lines.end - lines.start + 1, finding.replacement ?? '')
      : null;
  const { text, hasSuggestion: isSuggested } = renderCommentBody(finding, {
    number,
    suggestion,
    isAway: lines === null,
  });
  const marked: MarkedFinding = {
    identity,
    severity,
    path,
    side,
    round,
    number,
    assurance: result.assurance,
    title: title.slice(0, longestTitle),
    quote: (quote?.length ?? 0) > longestQuote ? null : quote,
    ...(anchor === undefined || anchor.line.length > longestQuote ? {} : { anchor }),
    ...(source === undefined ? {} : { source }),
    ...(claim === undefined ? {} : { claim }),
    ...(rejectable === undefined ? {} : { rejectable }),
    ...(isSuggested ? { suggested: true } : {}),
  };
  return { place, body: `${marks.write(findingMark, marked)}\n\n${text}` };
}

export interface SummaryTexts {
  readonly marks: Marks;
  readonly result: ReviewResult;
  readonly digest: string;
  readonly head: string;
  readonly plan: RoundPlan;
  /** The plan with the threads that are there now: what it would still post did not arrive. */
  readonly now: RoundPlan;
}

export function writeSummaryBody({ marks, result, digest, head, plan, now }: SummaryTexts): string {
  const { next, numbers, dismissed } = now.state;
  const { mark, room } = writeState(marks, { ...plan.state, next, numbers, dismissed });
  const summary: RoundSummary = {
    result,
    digest,
    head,
    round: plan.state.round,
    findings: now.findings.flatMap((one) => summaryFinding(one, plan)),
    heldBack: plan.findings.flatMap(({ finding, at }) => (at === 'held_back' ? [finding] : [])),
    fixed: plan.state.fixed.length,
    kept: plan.kept.map(({ finding: { title, number = null }, url }) => ({ title, number, url })),
  };
  return `${summaryMark}\n${mark}\n\n${renderRoundSummary(summary, room)}`;
}

/** GitHub's limit for a comment, in characters. */
const longestComment = 65_536;
/** The text needs the rest. */
const longestState = 45_000;

/** A state that leaves no room for the text drops the lines: the next round then holds back nothing. */
function writeState(marks: Marks, state: RoundState): { readonly mark: string; readonly room: number } {
  const forms = [state, { ...state, lines: null }].map((form) => marks.write(roundMark, form));
  const mark = forms.find(({ length }) => length <= longestState) ?? forms[1] ?? '';
  return { mark, room: longestComment - mark.length - summaryMark.length - 3 };
}

/** Returns the summary with another state. Its text stays as the last round wrote it. */
export function withState(body: string, marks: Marks, state: RoundState): string {
  const [first = '', , ...rest] = body.split(/\r?\n/);
  return [first, writeState(marks, state).mark, ...rest].join('\n');
}

function summaryFinding(one: PlannedFinding, { state, reopen }: RoundPlan): readonly SummaryFinding[] {
  const { finding, number, dismissal } = one;
  if (one.at === 'held_back') return [];
  const url = one.at === 'thread' ? one.thread.url : null;
  if (dismissal !== null) {
    const { by, reason } = dismissal;
    return [{ finding, number, url, state: 'dismissed', dismissal: { by, reason } }];
  }
  if (one.at !== 'thread') return [{ finding, number, url, state: 'summary' }];
  const { id, isResolved, finding: marked } = one.thread;
  if (isResolved && !reopen.some((thread) => thread.id === id))
    return [{ finding, number, url, state: 'dismissed' }];
  return [{ finding, number, url, state: marked.round === state.round ? 'new' : 'still_there' }];
}

export interface EvidenceFacts extends Pick<SummaryTexts, 'result' | 'digest' | 'plan' | 'head'> {
  readonly url: string;
}

/** Findings that a comment dismissed do not decide it; a thread that was only resolved still does. */
export function evidenceOf({ result, digest, plan, head, url }: EvidenceFacts): RoundEvidence {
  const { headline, coverage, exit } = summarise(result);
  const dismissed = plan.findings.filter(({ dismissal }) => dismissal !== null).map(({ finding }) => finding);
  const rest = result.findings.filter((finding) => !dismissed.includes(finding));
  const isPassed =
    result.state === 'ended' &&
    (result.exit_code === 0 || (result.exit_code === 1 && countFailing(rest, result.fail_on) === 0));
  const without = dismissed.length === 0 ? '' : `; ${dismissed.length} dismissed here`;
  return {
    head,
    isPassed,
    title: `${headline}${without}`,
    text: [coverage, exit, `SHA-256 of the result: ${digest}`].join('\n\n'),
    digest,
    url,
  };
}
