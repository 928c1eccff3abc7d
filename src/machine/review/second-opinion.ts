/** Selects the findings for the second opinion, of the lead or of a fresh thread of the advisor, and applies its verdicts. */
import type { Cached, Finding } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import { filesWithin } from '../../parsers/diff/ranges.ts';
import { renderDiffFile } from '../../parsers/diff/render.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { FindingChecker } from '../../prompts/lead/lead-message.ts';
import type { LeadFailure, LeadTurnRecord } from '../lead/lead-types.ts';
import type { VerifyInput, VerifyOutput } from './verify-machine.ts';

export type SecondOpinionWay =
  | { readonly kind: 'off' }
  /** A lead that is an agent, or the advisor: one session per finding. */
  | ({ readonly kind: 'each'; readonly reads: 'copy' | 'nothing' } & Pick<VerifyInput, 'by' | 'refutes'>)
  /** The caller: all findings in one question. */
  | ({ readonly kind: 'together' } & Pick<VerifyInput, 'refutes'>);

/** The most findings that the advisor checks in a review, for each chunk of it: a bound of the cost. */
export const mostCheckedPerChunk = 10;

export interface SecondOpinion {
  /** The agent that is asked; `lead` if none is. */
  readonly by: FindingChecker;
  /** The findings that were sent to the lead or the advisor. */
  readonly asked: readonly string[];
  /** The findings without a verdict, and the reason. */
  readonly missing: readonly { readonly ids: readonly string[]; readonly failure: LeadFailure }[];
  /** Verdicts from earlier runs. */
  readonly cached: readonly CachedVerdict[];
  readonly turns: readonly LeadTurnRecord[];
}

/** `id` is the finding's id. */
export type CachedVerdict = Cached & { readonly id: string };

export interface OpinionPlan extends Pick<VerifyInput, 'path' | 'language' | 'budgets'> {
  readonly way: SecondOpinionWay;
  readonly files: readonly DiffFile[];
  readonly findings: readonly Finding[];
  /** The number of chunks of the review. */
  readonly chunks: number;
}

export interface PlannedOpinion {
  readonly requests: readonly VerifyInput[];
  /** Findings that are not sent because there are too many. */
  readonly left: readonly string[];
}

/**
 * Plans one request per finding, or one for all. Leaves out findings that do not count, minor ones, and those that no
 * model may reject.
 */
export function planSecondOpinion(plan: OpinionPlan): PlannedOpinion {
  const { way, path, language, budgets, files } = plan;
  const due = plan.findings
    .filter((finding) => countsInOutcome(finding) && finding.severity !== 'minor')
    .filter(({ rejectable }) => rejectable !== false);
  if (way.kind === 'off' || due.length === 0) return { requests: [], left: [] };
  const { refutes } = way;
  // The worst are first.
  const most = way.kind === 'each' && way.by === 'advisor' ? mostCheckedPerChunk * plan.chunks : due.length;
  const left = due.slice(most).map(({ id }) => id);
  const findings = due.slice(0, most).map((finding) => ({ finding, context: contextOf(finding, files) }));
  const common = { language, budgets, refutes };
  if (way.kind === 'together') {
    const all = { ...common, name: 'verify', path: `${path}/verify`, findings } as const;
    return { requests: [{ ...all, by: 'lead', reads: 'own_tree' }], left };
  }
  const requests = findings.map((asked) => {
    const name = `verify-${asked.finding.id}`;
    return { ...common, name, path: `${path}/${name}`, findings: [asked], by: way.by, reads: way.reads };
  });
  return { requests, left };
}

/** Lines before and after the finding. */
const around = 30;

function contextOf(
  { path, side, start_line: start, end_line: end }: Finding,
  files: readonly DiffFile[],
): string {
  if (path === null || side === null || start === null || end === null) return '';
  const near = { path, start: Math.max(1, start - around), end: end + around };
  return filesWithin(files, [
    { ...near, side: 'new' },
    { ...near, side: 'old' },
  ])
    .map(renderDiffFile)
    .join('');
}

export function applyJudgements(
  findings: readonly Finding[],
  verified: readonly VerifyOutput[],
): readonly Finding[] {
  const judged = new Map(
    verified.flatMap(({ judgements, by }) => judgements.map((one) => [one.id, { ...one, by }])),
  );
  return findings.map((finding) => {
    const judgement = judged.get(finding.id);
    if (judgement === undefined || finding.rejectable === false) return finding;
    const { verdict, evidence, by } = judgement;
    return { ...finding, verdict, evidence, ...(by === 'advisor' ? { judged_by: by } : {}) };
  });
}

/** `left` lists the findings that were not sent because there are too many. */
export function tellSecondOpinion(
  way: SecondOpinionWay,
  verified: readonly VerifyOutput[],
  left: readonly string[],
): SecondOpinion {
  return {
    by: way.kind === 'each' ? way.by : 'lead',
    asked: verified.flatMap(({ judgements, missing }) => [
      ...judgements.map(({ id }) => id),
      ...(missing?.ids ?? []),
    ]),
    missing: [
      ...verified.flatMap(({ missing }) => missing ?? []),
      ...(left.length === 0 ? [] : [{ ids: left, failure: tooMany }]),
    ],
    cached: verified.flatMap(({ judgements }) =>
      judgements.flatMap(({ id, cached }) => (cached === undefined ? [] : [{ id, ...cached }])),
    ),
    turns: verified.flatMap(({ turns }) => turns),
  };
}

const tooMany: LeadFailure = {
  cause: 'protocol',
  detail: `the advisor checks at most ${mostCheckedPerChunk} findings for each chunk, the worst first`,
  hint: null,
};
