/** The ends of a pass through a phase: its result, and the next pass or the reason that the work ends. */
import type { ExchangeOutput } from '../exchange/exchange-types.ts';
import {
  findingsThatCameBack,
  inPass,
  openFindings,
  passThrough,
  type WorkflowContext,
} from './workflow-context.ts';
import type { GateDecision, PhasePass, WorkflowEnd } from './workflow-types.ts';
import { renderCount } from '../../text/quantities.ts';

type Ending = Partial<WorkflowContext>;

/** Uses the lead's last text as the result of the phase. */
export function settlePhase(context: WorkflowContext): Ending {
  const { at, lead } = context.pass;
  return {
    settled: [...context.settled, { phase: at.phase, text: lead?.text ?? '' }],
    ...inPass(context, { result: 'settled' }),
  };
}

export function goOn(context: WorkflowContext, next: PhasePass | null): Ending {
  if (next !== null) return { ...inPass(context, { next }), objection: null };
  return { end: ended('done', `every phase up to ${context.pass.at.phase} is done`), objection: null };
}

export function reviseFrom(context: WorkflowContext, gate: GateDecision): Ending {
  if (gate.kind !== 'revise') throw new Error('the gate sends no phase back');
  const next = passThrough(gate.phase, context.rounds);
  return { ...inPass(context, { next, result: 'sent back at the gate' }), objection: gate.comment };
}

export function stopAtGate(context: WorkflowContext, gate: GateDecision): Ending {
  const comment = gate.kind === 'stop' && gate.comment !== null ? `: ${gate.comment}` : '';
  return {
    end: ended('stopped', `the work was stopped at the gate${comment}`),
    ...inPass(context, { result: 'stopped at the gate' }),
  };
}

export function stopWithoutLead(context: WorkflowContext): Ending {
  const { lead, at } = context.pass;
  const failure = lead?.failure ?? { cause: 'internal', detail: 'the lead gave no text', hint: null };
  return {
    end: {
      code: 'lead_failed',
      detail: `the lead did not finish its part of the ${at.phase}`,
      failure: { ...failure, by: 'lead' },
    },
    ...inPass(context, { result: 'the lead failed' }),
  };
}

export function stopWithoutAdvice(context: WorkflowContext): Ending {
  const { exchange, at } = context.pass;
  return {
    end: {
      code: 'advisor_failed',
      detail: `the advisor gave no whole answer about the ${at.phase}`,
      failure: { ...failureOf(exchange), by: 'advisor' },
    },
    ...inPass(context, { result: 'no advice' }),
  };
}

export function commitNothing(context: WorkflowContext): Ending {
  const { answers, workflow, pass } = context;
  const refused = answers
    .filter(({ says }) => says === 'refused')
    .map(({ id, reason }) => `${id}: ${reason}`);
  const why = workflow.fix === null || refused.length === 0 ? '' : `; it refused ${refused.join('; ')}`;
  return {
    end: ended(
      'nothing_implemented',
      `the lead changed no file in round ${pass.at.round} of the implementation${why}`,
    ),
    ...inPass(context, { result: 'nothing changed' }),
  };
}

/** Returns to the implementation while Critical findings are left and fixes help; otherwise ends with the reason. */
export function judgeReview(context: WorkflowContext): Ending {
  const open = openFindings(context);
  const result = open.length === 0 ? noneOpen(context) : counted(context, open.length);
  const end = endOfReview(context, open.length);
  if (end !== null) return { ...inPass(context, { result }), end };
  const next = passThrough('implementation', context.rounds);
  return { ...inPass(context, { result, next }), objection: null };
}

function endOfReview(context: WorkflowContext, open: number): WorkflowEnd | null {
  const { reviews, workflow } = context;
  const { round } = context.pass.at;
  if (reviews.at(-1)?.output.exchanges.some(({ outcome }) => outcome !== 'settled') === true) {
    return ended('review_incomplete', `the review of round ${round} is incomplete`);
  }
  if (open === 0) {
    const detail = workflow.fix === null ? 'no critical finding is left' : countFates(context.fixes);
    return ended('done', `${detail} after round ${round}`);
  }
  if (reviews.length >= workflow.skill.limits.review_rounds) {
    return ended('rounds_spent', `${counted(context, open)} after ${reviews.length} rounds, the limit`);
  }
  const cameBack = findingsThatCameBack(context);
  if (cameBack.length === 0) return null;
  const titles = cameBack.map(({ title }) => title).join('; ');
  return ended('not_converging', `the fixes did not help: ${titles}`);
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

function counted({ workflow }: WorkflowContext, open: number): string {
  return renderCount(open, workflow.fix === null ? 'critical finding' : 'open finding');
}

function noneOpen({ workflow }: WorkflowContext): string {
  return workflow.fix === null ? 'no critical finding' : 'no open finding';
}

/** `2 of 3 findings are gone, 1 is refused`. */
function countFates(fixes: WorkflowContext['fixes']): string {
  const [gone, refused] = [
    fixes.filter(({ fate }) => fate === 'fixed' || fate === 'not_seen_again').length,
    fixes.filter(({ fate }) => fate === 'refused').length,
  ];
  const words = `${gone} of ${renderCount(fixes.length, 'finding')} gone`;
  return refused === 0 ? words : `${words}, ${refused} refused`;
}
