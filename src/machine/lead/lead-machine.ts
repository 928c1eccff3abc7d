/** One request to the lead, until its text arrives or the attempts fail. */
import { assign, setup } from 'xstate';
import { notProvided, withOutput } from '../chart.ts';
import type { LeadMessage } from '../../prompts/lead/lead-message.ts';
import type {
  LeadAction,
  LeadAskInput,
  LeadAskOutput,
  LeadInput,
  LeadOutput,
  LeadRecalled,
  LeadTurnRecord,
} from './lead-types.ts';

export interface LeadContext {
  readonly lead: LeadInput;
  readonly message: LeadMessage;
  readonly sessionId: string | null;
  readonly tree: string;
  readonly wait: LeadAskInput['wait'];
  readonly last: LeadAskOutput | null;
  readonly turns: readonly LeadTurnRecord[];
  readonly recalled: LeadRecalled | null;
}

export const leadMachine = setup({
  types: { context: {} as LeadContext, input: {} as LeadInput, output: {} as LeadOutput },
  actors: {
    'ask the lead': notProvided<LeadAskOutput, LeadAskInput>('ask the lead'),
  },
  guards: {
    'the next step is': ({ context }, params: { readonly action: LeadAction }) =>
      context.last?.action === params.action,
  },
  actions: {
    'keep the turn': assign(({ context }, { output }: { readonly output: LeadAskOutput }) => ({
      last: output,
      sessionId: output.sessionId,
      tree: output.tree,
      wait: null,
      turns: [...context.turns, output.record],
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
    message: input.message,
    sessionId: input.sessionId,
    tree: input.tree,
    wait: null,
    last: null,
    turns: [],
    recalled: null,
  }),
  initial: 'asking',
  states: {
    asking: {
      invoke: {
        id: 'asking',
        src: 'ask the lead',
        input: ({ context }) => askInput(context),
        onDone: {
          target: 'reading',
          actions: withOutput('keep the turn'),
        },
      },
    },
    reading: {
      always: [
        { guard: next('answered'), target: 'answered' },
        { guard: next('repeating'), target: 'repeating' },
        { guard: next('waiting'), target: 'waiting' },
        { guard: next('unavailable'), target: 'unavailable' },
        { target: 'exhausted' },
      ],
    },
    repeating: { entry: 'ask for it once more', always: 'asking' },
    waiting: { entry: 'remember how long to wait', always: 'asking' },
    answered: { type: 'final' },
    exhausted: { type: 'final' },
    unavailable: { type: 'final' },
  },
  output: ({ context }) => leadOutput(context),
});

function next(action: LeadAction) {
  return { type: 'the next step is', params: { action } } as const;
}

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
    failure: last?.failure ?? null,
    sessionId,
    tree,
    turns,
    ...(recalled === null ? {} : { recalled }),
  };
}
