/** Selects the findings for the lead's second opinion and applies its verdicts. */
import type { Cached, Finding } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import { filesWithin } from '../../parsers/diff/ranges.ts';
import { renderDiffFile } from '../../parsers/diff/render.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { LeadFailure, LeadTurnRecord } from '../lead/lead-types.ts';
import type { VerifyInput, VerifyOutput } from './verify-machine.ts';

export type SecondOpinionWay =
  | { readonly kind: 'off' }
  /** A lead that is an agent: one session per finding. */
  | { readonly kind: 'each'; readonly reads: 'copy' | 'nothing' }
  /** The caller: all findings in one question. */
  | { readonly kind: 'together' };

export interface SecondOpinion {
  /** The findings that were sent to the lead. */
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
}

/**
 * Plans one request per finding, or one for all. Leaves out findings that do not count, minor ones, and those that no
 * model may reject.
 */
export function planSecondOpinion(plan: OpinionPlan): readonly VerifyInput[] {
  const { way, path, language, budgets, files } = plan;
  const findings = plan.findings
    .filter((finding) => countsInOutcome(finding) && finding.severity !== 'minor')
    .filter(({ rejectable }) => rejectable !== false)
    .map((finding) => ({ finding, context: contextOf(finding, files) }));
  const common = { language, budgets };
  switch (way.kind) {
    case 'off':
      return [];
    case 'each':
      return findings.map((asked) => {
        const name = `verify-${asked.finding.id}`;
        return { ...common, name, path: `${path}/${name}`, findings: [asked], reads: way.reads };
      });
    case 'together':
      if (findings.length === 0) return [];
      return [{ ...common, name: 'verify', path: `${path}/verify`, findings, reads: 'own_tree' }];
  }
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
  const judged = new Map(verified.flatMap(({ judgements }) => judgements.map((one) => [one.id, one])));
  return findings.map((finding) => {
    const judgement = judged.get(finding.id);
    if (judgement === undefined || finding.rejectable === false) return finding;
    return { ...finding, verdict: judgement.verdict, evidence: judgement.evidence };
  });
}

export function tellSecondOpinion(verified: readonly VerifyOutput[]): SecondOpinion {
  return {
    asked: verified.flatMap(({ judgements, missing }) => [
      ...judgements.map(({ id }) => id),
      ...(missing?.ids ?? []),
    ]),
    missing: verified.flatMap(({ missing }) => missing ?? []),
    cached: verified.flatMap(({ judgements }) =>
      judgements.flatMap(({ id, cached }) => (cached === undefined ? [] : [{ id, ...cached }])),
    ),
    turns: verified.flatMap(({ turns }) => turns),
  };
}
