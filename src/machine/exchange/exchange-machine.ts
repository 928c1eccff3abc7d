/**
 * One tagged request until it is settled: the protocol of specification 001. Read `states` top to bottom.
 *
 * Every `asking` is one agent turn; the actor that performs it also reads the answer (`read-turn.ts`) and chooses the
 * next rung of the ladder, so that the record of the turn and the path of the machine can never differ.
 */
import { assign, setup } from 'xstate';
import { notProvided, withOutput } from '../chart.ts';
import type { ExchangeAction } from '../../events/collab-event.ts';
import type { AnswerBlock, ReverseRequest } from '../../parsers/answers/answer-types.ts';
import type {
  AskedBack,
  AskInput,
  AskOutput,
  ExchangeInput,
  ExchangeOutput,
  ExchangeMessage,
  SettledReverseAnswer,
} from './exchange-types.ts';
import { nothingSpent } from './ladder.ts';
import { asking, isNextStep, keepTurnOf, openTurnLoop, reading, type TurnLoopContext } from './turn-loop.ts';

export interface AnswerBackInput {
  readonly exchange: ExchangeInput;
  /** 1 for the exchange's first reverse request; names its step. */
  readonly number: number;
  readonly request: ReverseRequest;
}

export interface ExchangeContext
  extends
    TurnLoopContext<ExchangeMessage, AskOutput>,
    Pick<AskInput, 'exchange' | 'request' | 'kept' | 'spent' | 'lastIrrelevance'> {
  /** The advisor's reverse requests so far, in order. */
  readonly asked: readonly AskedBack[];
  /** The last incomplete block; returned if no better one follows. */
  readonly partial: AnswerBlock | null;
}

export const exchangeMachine = setup({
  types: {
    context: {} as ExchangeContext,
    input: {} as ExchangeInput,
    output: {} as ExchangeOutput,
  },
  actors: {
    ask: notProvided<AskOutput, AskInput>('ask'),
    'answer back': notProvided<SettledReverseAnswer, AnswerBackInput>('answer back'),
  },
  guards: {
    'the next step is': (facts, params: { readonly action: ExchangeAction }) => isNextStep(facts, params),
  },
  actions: {
    'keep the turn': assign(({ context }, { output }: { readonly output: AskOutput }) =>
      keepTurn(context, output),
    ),
    'set the message of the rung': assign(({ context }) => ({ message: rungMessage(context) })),
    'keep the good sections': assign(({ context }) => ({ kept: rejected(context)?.kept ?? null })),
    'forget the kept sections': assign({ kept: null }),
    'start a fresh thread': assign({ sessionId: null, kept: null, message: { kind: 'request' } }),
    'remember how long to wait': assign(({ context }) => ({
      wait: {
        number: context.spent.waiting,
        retryAfterMs: rejected(context)?.retryAfterMs ?? null,
        unreachable: rejected(context)?.cause === 'unreachable',
      },
    })),
    'continue in a new thread or the cut one': assign(({ context }) => resumeAfterWaiting(context)),
    'hand over the answer': assign(({ context }, { output }: { readonly output: SettledReverseAnswer }) =>
      handOver(context, output),
    ),
  },
}).createMachine({
  id: 'exchange',
  context: ({ input }) => ({
    exchange: input,
    ...openTurnLoop<ExchangeMessage>({ kind: 'request' }, null),
    request: input.request,
    kept: null,
    spent: nothingSpent,
    lastIrrelevance: null,
    asked: [],
    partial: null,
  }),
  initial: 'asking',
  states: {
    asking: asking(askInput),
    reading: reading(
      [
        'settled',
        'repairing',
        'completing',
        'recontextualising',
        'answering',
        'shortening',
        'waiting',
        'unavailable',
      ],
      'exhausted',
    ),
    repairing: {
      entry: ['set the message of the rung', 'forget the kept sections'],
      always: 'asking',
    },
    completing: {
      entry: ['set the message of the rung', 'keep the good sections'],
      always: 'asking',
    },
    recontextualising: {
      entry: ['set the message of the rung', 'forget the kept sections'],
      always: 'asking',
    },
    answering: {
      invoke: {
        id: 'answering',
        src: 'answer back',
        input: ({ context }) => answerBackInput(context),
        onDone: {
          target: 'asking',
          actions: withOutput('hand over the answer'),
        },
      },
    },
    shortening: {
      entry: 'start a fresh thread',
      always: 'asking',
    },
    waiting: {
      entry: ['remember how long to wait', 'continue in a new thread or the cut one'],
      always: 'asking',
    },
    settled: { type: 'final' },
    exhausted: { type: 'final' },
    unavailable: { type: 'final' },
  },
  output: ({ context }) => exchangeOutput(context),
});

function askInput(context: ExchangeContext): AskInput {
  const { turns, exchange, request, message, sessionId, kept, spent, wait, lastIrrelevance } = context;
  const number = { turn: turns.length + 1, attempt: spent.attempts + 1 };
  return { ...number, exchange, request, message, sessionId, kept, spent, wait, lastIrrelevance };
}

function answerBackInput(context: ExchangeContext): AnswerBackInput {
  const verdict = context.last?.verdict;
  if (verdict?.kind !== 'asked_back') throw new Error('no reverse request stands open');
  return { exchange: context.exchange, number: context.spent.answering, request: verdict.request };
}

function handOver(context: ExchangeContext, answer: SettledReverseAnswer): Partial<ExchangeContext> {
  const asked = [...context.asked, { request: answerBackInput(context).request, answer }];
  return { asked, message: { kind: 'reverse_answer', asked } };
}

function keepTurn(context: ExchangeContext, output: AskOutput): Partial<ExchangeContext> {
  const { verdict, spent, request = context.request } = output;
  const irrelevance = verdict.kind === 'rejected' && verdict.reason === 'irrelevant' ? verdict.detail : null;
  return {
    ...keepTurnOf(context, output),
    spent,
    request,
    lastIrrelevance: irrelevance,
    partial: (verdict.kind === 'rejected' ? (verdict.said ?? verdict.kept?.block) : null) ?? context.partial,
  };
}

function rejected(context: ExchangeContext) {
  const verdict = context.last?.verdict;
  return verdict?.kind === 'rejected' ? verdict : null;
}

function rungMessage(context: ExchangeContext): ExchangeMessage {
  return rejected(context)?.message ?? { kind: 'request' };
}

/**
 * A repeat starts from scratch; a turn that we ended ourselves continues in its own thread, with a request for the
 * whole answer.
 */
function resumeAfterWaiting(context: ExchangeContext): Partial<ExchangeContext> {
  const goesOn = rejected(context)?.uncounted === true && context.sessionId !== null;
  return goesOn
    ? { message: { kind: 'cut_again' }, wait: null }
    : { message: { kind: 'request' }, sessionId: null, kept: null };
}

function exchangeOutput(context: ExchangeContext): ExchangeOutput {
  const verdict = context.last?.verdict;
  const { name, path, request } = context.exchange;
  const base = { name, path, request, turns: context.turns };
  if (verdict?.kind === 'settled') {
    return {
      ...base,
      outcome: 'settled',
      cause: null,
      detail: null,
      hint: null,
      block: verdict.block,
      issues: verdict.issues,
      shown: context.turns.findLast((turn) => turn.shown.length > 0)?.shown ?? [],
    };
  }
  const failure = rejected(context);
  return {
    ...base,
    outcome: context.last?.action === 'unavailable' ? 'unavailable' : 'exhausted',
    cause: failure?.cause ?? 'protocol',
    detail: failure?.detail ?? null,
    hint: failure?.hint ?? null,
    block: context.partial,
    issues: null,
    shown: [],
  };
}
