/** One request to the lead, until its text arrives or the attempts fail. */
import { assign, setup } from 'xstate';
import { notProvided } from '../chart.ts';
import {
  asking,
  isNextStep,
  keepTurnOf,
  openTurnLoop,
  reading,
  type TurnLoopContext,
} from '../exchange/turn-loop.ts';
import type { LeadMessage } from '../../prompts/lead/lead-message.ts';
import type {
  LeadAction,
  LeadAskInput,
  LeadAskOutput,
  LeadInput,
  LeadOutput,
  LeadRecalled,
} from './lead-types.ts';

export interface LeadContext extends TurnLoopContext<LeadMessage, LeadAskOutput> {
  readonly lead: LeadInput;
  readonly tree: string;
  readonly recalled: LeadRecalled | null;
}

export const leadMachine = setup({
  types: { context: {} as LeadContext, input: {} as LeadInput, output: {} as LeadOutput },
  actors: {
    ask: notProvided<LeadAskOutput, LeadAskInput>('ask the lead'),
  },
  guards: {
    'the next step is': (facts, params: { readonly action: LeadAction }) => isNextStep(facts, params),
  },
  actions: {
    'keep the turn': assign(({ context }, { output }: { readonly output: LeadAskOutput }) => ({
      ...keepTurnOf(context, output),
      tree: output.tree,
      recalled: output.recalled ?? context.recalled,
    })),
    'remember how long to wait': assign(({ context }) => ({
      wait: {
        number: context.last?.spent.waiting ?? 1,
        retryAfterMs: context.last?.retryAfterMs ?? null,
        unreachable: context.last?.failure?.cause === 'unreachable',
      },
    })),
    'ask for it once more': assign(({ context }) => ({
      message:
        context.sessionId === null
          ? context.lead.message
          : ({
              kind: 'again',
              filesRestored: context.lead.work.access === 'edit',
              ...(context.last?.tooLong === true ? { tooLong: true } : {}),
            } as const),
    })),
  },
}).createMachine({
  id: 'lead',
  context: ({ input }) => ({
    lead: input,
    ...openTurnLoop(input.message, input.sessionId),
    tree: input.tree,
    recalled: null,
  }),
  initial: 'asking',
  states: {
    asking: asking(askInput),
    reading: reading(['answered', 'repeating', 'waiting', 'unavailable'], 'exhausted'),
    repeating: { entry: 'ask for it once more', always: 'asking' },
    waiting: { entry: 'remember how long to wait', always: 'asking' },
    answered: { type: 'final' },
    exhausted: { type: 'final' },
    unavailable: { type: 'final' },
  },
  output: ({ context }) => leadOutput(context),
});

function askInput({ lead, message, sessionId, tree, wait, last, turns }: LeadContext): LeadAskInput {
  return {
    lead,
    turn: turns.length + 1,
    message,
    sessionId,
    tree,
    spent: last?.spent ?? { waiting: 0, repeating: 0 },
    wait,
  };
}

function leadOutput({ last, sessionId, tree, turns, recalled }: LeadContext): LeadOutput {
  const outcome = last?.action === 'answered' || last?.action === 'unavailable' ? last.action : 'exhausted';
  return {
    outcome,
    text: last?.text ?? null,
    ...(last?.reading === undefined ? {} : { reading: last.reading }),
    failure: last?.failure ?? null,
    sessionId,
    tree,
    turns,
    ...(recalled === null ? {} : { recalled }),
  };
}
