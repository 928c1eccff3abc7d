/** Decides the outcome of a workflow: that of its last review, with the reasons why phases are incomplete. */
import type { Outcome } from '../../events/collab-event.ts';
import type { ExchangeOutput } from '../../machine/exchange/exchange-types.ts';
import type { ReviewOutput } from '../../machine/review/review-machine.ts';
import type { WorkflowEnd, WorkflowOutput } from '../../machine/workflow/workflow-types.ts';
import type { Coverage } from '../../review/outcome/coverage.ts';
import type { Decision } from '../../review/outcome/outcome.ts';
import { unsettledReasons, type Reason } from '../../review/outcome/reasons.ts';
import { decide, type DecidingDrive } from '../review/result.ts';

export interface WorkflowDecision extends Pick<Decision, 'exitCode' | 'reasons' | 'assurance'> {
  /** The outcome; null if there was no review and none was requested. */
  readonly outcome: Outcome | null;
  readonly coverage: Coverage | null;
  /** The last review; null if none was started. */
  readonly review: ReviewOutput | null;
}

export function decideWorkflow(drive: DecidingDrive, output: WorkflowOutput): WorkflowDecision {
  const review = output.reviews.at(-1)?.output ?? null;
  const judged = review === null ? null : decide(drive, { cancelled: false, final: true, output: review });
  const base = {
    review,
    assurance: judged?.assurance ?? 'none',
    coverage: judged?.coverage ?? null,
  } as const;
  const faults = faultsOf(output);
  switch (output.end.code) {
    case 'done':
      return { ...base, ...done(judged, faults) };
    case 'rounds_spent':
    case 'not_converging':
      return { ...base, ...withCriticals(judged, output.end, faults) };
    case 'review_incomplete':
      return { ...base, ...reviewIncomplete(judged, output, faults) };
    case 'nothing_implemented':
    case 'stopped':
    case 'cancelled': {
      const { code, detail } = output.end;
      return { ...base, outcome: 'incomplete', exitCode: 3, reasons: [{ code, text: detail }, ...faults] };
    }
    case 'advisor_failed':
    case 'lead_failed':
      return { ...base, ...agentFailed(output), reasons: [...agentReasons(output.end), ...faults] };
  }
}

type Judgement = Pick<WorkflowDecision, 'outcome' | 'exitCode' | 'reasons'>;

function done(judged: Decision | null, faults: readonly Reason[]): Judgement {
  const reasons = [...faults, ...(judged?.reasons ?? [noReview])];
  if (faults.length > 0 && (judged === null || judged.exitCode === 0)) {
    return { outcome: 'incomplete', exitCode: 3, reasons };
  }
  return judged === null
    ? { outcome: null, exitCode: 0, reasons }
    : { outcome: judged.outcome, exitCode: judged.exitCode, reasons };
}

const noReview: Reason = { code: 'no_review', text: 'the phases are done; there was no review among them' };

/** Judges a run that leaves critical findings, with the reason. */
function withCriticals(judged: Decision | null, end: WorkflowEnd, faults: readonly Reason[]): Judgement {
  const code = end.code === 'rounds_spent' ? 'rounds_spent' : 'not_converging';
  const reasons = [{ code, text: end.detail } as const, ...faults, ...(judged?.reasons ?? [])];
  return { outcome: judged?.outcome ?? 'incomplete', exitCode: judged?.exitCode ?? 3, reasons };
}

/** A failed review counts as incomplete if an earlier exchange of the run has settled. */
function reviewIncomplete(
  judged: Decision | null,
  { exchanges }: WorkflowOutput,
  faults: readonly Reason[],
): Judgement {
  const reasons = [...(judged?.reasons ?? []), ...faults];
  const failed = judged?.outcome === 'failed' && !exchanges.some(isSettled);
  return failed
    ? { outcome: 'failed', exitCode: 4, reasons }
    : { outcome: 'incomplete', exitCode: 3, reasons };
}

/**
 * Reaching the protocol's own limits is not a failure of the run; an agent that cannot work is, if nothing has settled.
 */
function agentFailed({ end, exchanges, reviews }: WorkflowOutput): Pick<Judgement, 'outcome' | 'exitCode'> {
  const ownLimits = ['protocol', 'time', 'budget', 'context', 'silent'];
  const settled = [...exchanges, ...reviews.flatMap(({ output }) => output.exchanges)].some(isSettled);
  const failed = !settled && end.failure !== null && !ownLimits.includes(end.failure.cause);
  return failed ? { outcome: 'failed', exitCode: 4 } : { outcome: 'incomplete', exitCode: 3 };
}

function isSettled({ outcome }: ExchangeOutput): boolean {
  return outcome === 'settled';
}

function agentReasons({ detail, failure }: WorkflowEnd): readonly Reason[] {
  if (failure === null) return [{ code: 'internal_fault', text: detail }];
  const said = [detail, failure.detail, failure.hint]
    .filter((part) => part !== null && part !== '')
    .join('; ');
  return [{ code: unsettledReasons[failure.cause].code, text: said }];
}

function faultsOf({ withoutAdvice, applied, end }: WorkflowOutput): readonly Reason[] {
  const unadvised: readonly Reason[] =
    withoutAdvice.length === 0 || end.code === 'advisor_failed'
      ? []
      : [{ code: 'without_advice', text: `the lead continued without advice (${withoutAdvice.join(', ')})` }];
  const unapplied: readonly Reason[] =
    applied.kind === 'refused'
      ? [{ code: 'not_applied', text: `your own files were not changed: ${applied.reason}` }]
      : [];
  return [...unadvised, ...unapplied];
}
