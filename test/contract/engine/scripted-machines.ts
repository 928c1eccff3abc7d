/** The scripted review again, as nested machines with `invoke` and `.provide()`, as the product drives its own. */
import { assign, createActor, fromPromise, setup } from 'xstate';
import type { RunContext } from '../../../src/engine/port.ts';
import { askChunk, planChunks, type Review, type Turn } from './scripted-review.ts';

interface Attempt {
  readonly chunk: string;
  readonly number: number;
}

// Examples of the machines' data: `setup` takes their types, never their values.
const noTurns: readonly Turn[] = [];
const chunkContext: { readonly chunk: string; readonly turns: readonly Turn[] } = {
  chunk: '',
  turns: noTurns,
};
const reviewContext: { readonly turns: Review } = { turns: {} };

const chunkMachine = setup({
  types: { context: chunkContext, input: chunkContext, output: noTurns },
  actors: { ask: fromPromise<Turn, Attempt>(() => Promise.reject(new Error('not provided'))) },
}).createMachine({
  context: ({ input }) => input,
  initial: 'asking',
  states: {
    asking: {
      invoke: {
        id: 'asking',
        src: 'ask',
        input: ({ context }) => ({ chunk: context.chunk, number: context.turns.length + 1 }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'answered',
            target: 'settled',
            actions: assign({ turns: ({ context, event }) => [...context.turns, event.output] }),
          },
          {
            target: 'asking',
            reenter: true,
            actions: assign({ turns: ({ context, event }) => [...context.turns, event.output] }),
          },
        ],
        onError: 'failed',
      },
    },
    settled: { type: 'final' },
    failed: { type: 'final' },
  },
  output: ({ context }) => context.turns,
});

const reviewMachine = setup({
  types: { context: reviewContext, output: reviewContext.turns },
  actors: {
    plan: fromPromise<readonly string[]>(() => Promise.reject(new Error('not provided'))),
    chunk: chunkMachine,
  },
  actions: {
    'keep turns': assign({
      turns: ({ context }, kept: { readonly chunk: string; readonly turns: readonly Turn[] }) => ({
        ...context.turns,
        [kept.chunk]: kept.turns,
      }),
    }),
  },
}).createMachine({
  context: { turns: {} },
  initial: 'planning',
  states: {
    planning: { invoke: { id: 'planning', src: 'plan', onDone: 'reviewing', onError: 'failed' } },
    reviewing: {
      invoke: [
        {
          id: 'chunk-1',
          src: 'chunk',
          input: { chunk: 'chunk-1', turns: noTurns },
          onDone: {
            actions: {
              type: 'keep turns',
              params: ({ event }) => ({ chunk: 'chunk-1', turns: event.output }),
            },
          },
          onError: 'failed',
        },
        {
          id: 'chunk-2',
          src: 'chunk',
          input: { chunk: 'chunk-2', turns: noTurns },
          onDone: {
            actions: {
              type: 'keep turns',
              params: ({ event }) => ({ chunk: 'chunk-2', turns: event.output }),
            },
          },
          onError: 'failed',
        },
        {
          id: 'chunk-3',
          src: 'chunk',
          input: { chunk: 'chunk-3', turns: noTurns },
          onDone: {
            actions: {
              type: 'keep turns',
              params: ({ event }) => ({ chunk: 'chunk-3', turns: event.output }),
            },
          },
          onError: 'failed',
        },
      ],
      always: {
        guard: ({ context }) => Object.keys(context.turns).length === 3,
        target: 'settled',
      },
    },
    settled: { type: 'final' },
    failed: { type: 'final' },
  },
  output: ({ context }) => context.turns,
});

/** Every state of the parent and of each chunk that was ever entered is added to `seen`. */
export function driveMachines(context: RunContext, callLog: string, seen: Set<string>): Promise<Review> {
  const ask = fromPromise<Turn, Attempt>(({ input }) =>
    askChunk(context, input.chunk, input.number, callLog),
  );
  const plan = fromPromise<readonly string[]>(() => planChunks(context, callLog));
  const machine = reviewMachine.provide({
    actors: { plan, chunk: chunkMachine.provide({ actors: { ask } }) },
  });
  return new Promise((resolve, reject) => {
    const actor = createActor(machine, {
      inspect(event) {
        if (event.type === '@xstate.snapshot' && 'value' in event.snapshot)
          seen.add(String(event.snapshot.value));
      },
    });
    actor.subscribe({
      complete: () => {
        const { status, output } = actor.getSnapshot();
        if (status === 'done' && output !== undefined) resolve(output);
      },
      error: reject,
    });
    context.signal.addEventListener('abort', () => actor.stop());
    actor.start();
  });
}
