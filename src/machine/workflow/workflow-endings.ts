/** The ends of a pass through a phase: its result, and the next pass or the reason that the work ends. */
import type { ExchangeOutput } from '../exchange/exchange-types.ts';
import {
  criticalFindings,
  findingsThatCameBack,
  passThrough,
  type WorkflowContext,
} from './workflow-context.ts';
import type { GateDecision, PhasePass, WorkflowEnd } from './workflow-types.ts';
import { renderCount } from '../../text/quantities.ts';

type Ending = Partial<WorkflowContext>;

/** Uses the lead's last text as the result of the phase. */
export function settlePhase({ settled, pass, lead }: WorkflowContext): Ending {
  return { settled: [...settled, { phase: pass.phase, text: lead?.text ?? '' }], result: 'settled' };
}

export function goOn({ pass }: WorkflowContext, next: PhasePass | null): Ending {
  if (next !== null) return { next, objection: null };
  return { end: ended('done', `every phase up to ${pass.phase} is through`), objection: null };
}

export function reviseFrom({ rounds }: WorkflowContext, gate: GateDecision): Ending {
  if (gate.kind !== 'revise') throw new Error('the gate sends no phase back');
  return {
    next: passThrough(gate.phase, rounds),
    objection: gate.comment,
    result: 'sent back at the gate',
  };
}

export function stopAtGate(gate: GateDecision): Ending {
  const comment = gate.kind === 'stop' && gate.comment !== null ? `: ${gate.comment}` : '';
  return {
    end: ended('stopped', `the work was stopped at the gate${comment}`),
    result: 'stopped at the gate',
  };
}

export function stopWithoutLead({ lead, pass }: WorkflowContext): Ending {
  const failure = lead?.failure ?? { cause: 'internal', detail: 'the lead gave no text', hint: null };
  return {
    end: {
      code: 'lead_failed',
      detail: `the lead did not finish its part of the ${pass.phase}`,
      failure: { ...failure, by: 'lead' },
    },
    result: 'the lead failed',
  };
}

export function stopWithoutAdvice({ exchange, pass }: WorkflowContext): Ending {
  return {
    end: {
      code: 'advisor_failed',
      detail: `the advisor gave no whole answer about the ${pass.phase}`,
      failure: { ...failureOf(exchange), by: 'advisor' },
    },
    result: 'no advice',
  };
}

export function commitNothing({ pass }: WorkflowContext): Ending {
  return {
    end: ended(
      'nothing_implemented',
      `the lead changed no file in round ${pass.round} of the implementation`,
    ),
    result: 'nothing changed',
  };
}

/** Returns to the implementation while Critical findings are left and fixes help; otherwise ends with the reason. */
export function judgeReview(context: WorkflowContext): Ending {
  const last = context.reviews.at(-1);
  const criticals = criticalFindings(context);
  const result = criticals.length === 0 ? 'no critical finding' : counted(criticals.length);
  const unsettled = last?.output.exchanges.filter(({ outcome }) => outcome !== 'settled') ?? [];
  if (unsettled.length > 0) {
    const detail = `the review of round ${context.pass.round} is not whole`;
    return { result, end: { code: 'review_incomplete', detail, failure: null } };
  }
  if (criticals.length === 0) {
    return { result, end: ended('done', `no critical finding is left after round ${context.pass.round}`) };
  }
  if (context.reviews.length >= context.workflow.skill.limits.review_rounds) {
    const rounds = context.reviews.length;
    return {
      result,
      end: ended('rounds_spent', `${counted(criticals.length)} after ${rounds} rounds, the limit`),
    };
  }
  const cameBack = findingsThatCameBack(context);
  if (cameBack.length > 0) {
    const titles = cameBack.map(({ title }) => title).join('; ');
    return { result, end: ended('not_converging', `the fixes did not help: ${titles}`) };
  }
  return { result, next: passThrough('implementation', context.rounds), objection: null };
}

function failureOf(exchange: ExchangeOutput | null) {
  return {
    cause: exchange?.cause ?? ('protocol' as const),
    detail: exchange?.detail ?? 'no answer came',
    hint: exchange?.hint ?? null,
  };
}

function ended(code: WorkflowEnd['code'], detail: string): WorkflowEnd {
  return { code, detail, failure: null };
}

function counted(criticals: number): string {
  return renderCount(criticals, 'critical finding');
}
