/**
 * The states of every request to an agent: `asking` performs a turn, which also chooses what follows; `reading` goes
 * there. The other states are ways back to `asking`, or ends.
 */
import { withOutput } from '../chart.ts';
import type { RepeatWait } from './exchange-types.ts';

/** The part of the context that every request has. */
export interface TurnLoopContext<Message, Output extends TurnOutput> {
  readonly message: Message;
  readonly sessionId: string | null;
  /** How long to wait before the next turn. */
  readonly wait: RepeatWait | null;
  readonly last: Output | null;
  readonly turns: readonly Output['record'][];
}

/** The part of a turn's result that every request has. */
interface TurnOutput {
  readonly action: string;
  readonly sessionId: string | null;
  readonly spent: { readonly waiting: number };
  readonly record: object;
}

export function openTurnLoop<Message>(message: Message, sessionId: string | null) {
  return { message, sessionId, wait: null, last: null, turns: [] } as const;
}

/** Invokes the actor `ask`. */
export function asking<Context, Input>(input: (context: Context) => Input) {
  return {
    invoke: {
      id: 'asking',
      src: 'ask',
      input: ({ context }: { readonly context: Context }) => input(context),
      onDone: { target: 'reading', actions: withOutput('keep the turn') },
    },
  } as const;
}

/** Goes to the state that has the name of the last turn's action; to `otherwise` for any other. */
export function reading<const Action extends string>(actions: readonly Action[], otherwise: string) {
  return {
    always: [
      ...actions.map(
        (action) => ({ guard: { type: 'the next step is', params: { action } }, target: action }) as const,
      ),
      { target: otherwise },
    ],
  };
}

export function isNextStep(
  { context }: { readonly context: { readonly last: TurnOutput | null } },
  { action }: { readonly action: string },
): boolean {
  return context.last?.action === action;
}

/** Keeps a turn's result; its wait is over. */
export function keepTurnOf<Output extends TurnOutput>(
  { turns }: { readonly turns: readonly Output['record'][] },
  output: Output,
): Pick<TurnLoopContext<never, Output>, 'last' | 'sessionId' | 'wait' | 'turns'> {
  return { last: output, sessionId: output.sessionId, wait: null, turns: [...turns, output.record] };
}
