/** Initial values for tests of the workflow. */
import { noBrief } from '../../prompts/review/review-request.ts';
import { defaultBudgets } from '../../config/repair-budgets.ts';
import type { Finding } from '../../events/collab-event.ts';
import { phases, type Phase } from '../../tags/tags.ts';
import { takeCensus } from '../../review/census/census.ts';
import { everything } from '../../review/census/selection.ts';
import type { ExchangeOutput } from '../exchange/exchange-types.ts';
import type { LeadOutput } from '../lead/lead-types.ts';
import { openContext, openPass, type OpenPass, type WorkflowContext } from './workflow-context.ts';
import type { ReviewRound, WorkflowInput } from './workflow-types.ts';

export const workflowInput: WorkflowInput = {
  task: 'Round once.',
  skill: {
    name: 'four phases',
    phases: phases.map((phase) => ({
      phase,
      template: `Do the ${phase}.`,
      sections: phase === 'design' ? [{ name: 'COST', asks: 'say what it costs' }] : [],
    })),
    limits: { consults: 3, review_rounds: 3 },
  },
  language: 'en',
  budgets: defaultBudgets,
  chunk_tokens: 1000,
  concurrency: 2,
  on_advisor_failure: 'stop',
  fix: null,
};

export function contextOf(changes: Partial<WorkflowContext> = {}): WorkflowContext {
  return { ...openContext(workflowInput), ...changes };
}

export function inPhase(
  phase: Phase,
  round = 1,
  changes: Partial<OpenPass> = {},
): Pick<WorkflowContext, 'pass' | 'rounds'> {
  return { pass: { ...openPass({ phase, round }), ...changes }, rounds: { [phase]: round } };
}

export function leadOutput(changes: Partial<LeadOutput> = {}): LeadOutput {
  return {
    outcome: 'answered',
    text: 'Done.',
    failure: null,
    sessionId: 'session-2',
    tree: 'tree-2',
    turns: [{ promptBytes: 1, answerBytes: 2, durationMs: 3, usage: null }],
    ...changes,
  };
}

export function exchangeOutput(changes: Partial<ExchangeOutput> = {}): ExchangeOutput {
  return {
    name: 'design-1-consult-1',
    path: 'design/1/consult-1',
    request: {
      tag: '[CONSULT:DESIGN]',
      question: 'Is it sound?',
      sections: [],
      required: [],
      optional: [],
      change: null,
      language: null,
    },
    outcome: 'settled',
    cause: null,
    detail: null,
    hint: null,
    block: null,
    issues: null,
    shown: [],
    turns: [],
    ...changes,
  };
}

export function reviewRound(
  round: number,
  findings: readonly Finding[],
  exchanges: readonly ExchangeOutput[] = [exchangeOutput()],
): ReviewRound {
  return {
    round,
    output: {
      counted: {
        brief: noBrief,
        census: takeCensus({ files: [], preamble: [], faults: [] }, everything),
        files: [],
        fixed: null,
      },
      exchanges,
      merged: { findings, strengths: [], suggestions: [] },
      secondOpinion: { by: 'lead', asked: [], missing: [], cached: [], turns: [] },
      rulesFault: null,
    },
  };
}
