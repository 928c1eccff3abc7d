import { createActor, fromPromise, toPromise, type Actor } from 'xstate';
import { describe, expect, test } from 'vitest';
import { exchangeActions } from '../../events/collab-event.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import { firstAsk } from './ask-input.test-helper.ts';
import { exchangeMachine, type AnswerBackInput } from './exchange-machine.ts';
import type {
  AskInput,
  AskOutput,
  ExchangeOutput,
  SettledReverseAnswer,
  TurnRecord,
  TurnVerdict,
} from './exchange-types.ts';
import { defaultBudgets } from '../../config/repair-budgets.ts';
import { nothingSpent } from './ladder.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';

const request: ConsultRequest = {
  tag: '[REQUEST:REVIEW]',
  question: 'Is it right?',
  sections: exchangeSpecOf('[REQUEST:REVIEW]').sections,
  required: [],
  optional: [],
  change: null,
  language: null,
};

const block = {
  tag: '[RESPONSE:REVIEW]',
  lenient: false,
  preamble: '',
  sections: [],
  missing: [],
  extraSections: [],
  span: { start: 1, end: 2 },
} as const;

const settled: TurnVerdict = { kind: 'settled', block, issues: [], mergedFrom: [1] };

function rejected(facts: Partial<Extract<TurnVerdict, { kind: 'rejected' }>>): TurnVerdict {
  return {
    kind: 'rejected',
    reason: 'marker_absent',
    detail: 'no marker line',
    cause: 'protocol',
    hint: null,
    message: null,
    kept: null,
    final: false,
    uncounted: false,
    retryAfterMs: null,
    ...facts,
  };
}

function output(facts: Partial<AskOutput>): AskOutput {
  return {
    verdict: settled,
    action: 'settled',
    sessionId: 'thread-1',
    spent: { ...nothingSpent, attempts: 1 },
    request,
    record,
    ...facts,
  };
}

const record: TurnRecord = {
  attempt: 1,
  rejected: null,
  promptBytes: 10,
  answerBytes: 20,
  durationMs: 5,
  promptDigest: 'p',
  answerDigest: 'a',
  shown: [],
  usage: null,
};

interface Played {
  readonly output: ExchangeOutput;
  readonly asked: readonly AskInput[];
  readonly askedBack: readonly AnswerBackInput[];
}

async function play(turns: readonly AskOutput[], reverse?: SettledReverseAnswer): Promise<Played> {
  const asked: AskInput[] = [];
  const askedBack: AnswerBackInput[] = [];
  const machine = exchangeMachine.provide({
    actors: {
      ask: fromPromise<AskOutput, AskInput>(async ({ input }) => {
        asked.push(input);
        const turn = turns[asked.length - 1];
        if (turn === undefined) throw new Error('asked too often');
        return turn;
      }),
      'answer back': fromPromise<SettledReverseAnswer, AnswerBackInput>(async ({ input }) => {
        askedBack.push(input);
        if (reverse === undefined) throw new Error('nobody answers');
        return reverse;
      }),
    },
  });
  const actor = createActor(machine, {
    input: { name: 'chunk-1', path: 'review/chunk-1', request, budgets: defaultBudgets },
  });
  return { output: await outputOf(actor), asked, askedBack };
}

function outputOf(actor: Actor<typeof exchangeMachine>): Promise<ExchangeOutput> {
  const done = toPromise(actor);
  actor.start();
  return done;
}

const firstAsked = firstAsk(request);

/** The second request, after a rejected first turn. */
const askedAgain: AskInput = {
  ...firstAsked,
  turn: 2,
  attempt: 2,
  spent: { ...nothingSpent, attempts: 1 },
  sessionId: 'thread-1',
};

test('a whole answer settles the exchange in one turn', async () => {
  const { output: result, asked } = await play([output({})]);
  expect(result).toEqual({
    name: 'chunk-1',
    path: 'review/chunk-1',
    request,
    outcome: 'settled',
    cause: null,
    detail: null,
    hint: null,
    block,
    issues: [],
    shown: [],
    turns: [record],
  });
  expect(asked).toEqual([firstAsked]);
});

test('an exchange has shown the lines of its last turn with lines', async () => {
  const shown = [{ path: 'a.ts', side: 'new', start: 1, end: 2 }] as const;
  const { output: result } = await play([
    output({ action: 'repairing', verdict: rejected({}), record: { ...record, shown } }),
    output({}),
  ]);
  expect(result.shown).toEqual(shown);
});

describe('each rung returns to asking', () => {
  test('R001-13 the structure is asked for in the same thread', async () => {
    const message = { kind: 'structure', causes: ['code_fence'], note: null } as const;
    const { asked } = await play([
      output({ action: 'repairing', verdict: rejected({ message }) }),
      output({}),
    ]);
    expect(asked[1]).toEqual({ ...askedAgain, message });
  });

  test('R001-14.1 only the missing sections are asked for, and the others are kept', async () => {
    const message = { kind: 'sections', missing: ['SUGGESTIONS'] } as const;
    const kept = { block, wanted: ['SUGGESTIONS'], from: [1] };
    const { asked } = await play([
      output({ action: 'completing', verdict: rejected({ reason: 'incomplete', message, kept }) }),
      output({}),
    ]);
    expect(asked[1]).toEqual({ ...askedAgain, message, kept });
  });

  test.each(['repairing', 'recontextualising'] as const)('%s requests everything again', async (action) => {
    const kept = { block, wanted: ['SUGGESTIONS'], from: [1] };
    const { asked } = await play([
      output({ action: 'completing', verdict: rejected({ reason: 'incomplete', kept }) }),
      output({ action, verdict: rejected({}) }),
      output({}),
    ]);
    expect(asked.map((input) => input.kept)).toEqual([null, kept, null]);
  });

  test('a rung without a message of its own repeats the request', async () => {
    const { asked } = await play([output({ action: 'repairing', verdict: rejected({}) }), output({})]);
    expect(asked[1]).toEqual(askedAgain);
  });

  test('R001-16 the context is given again in the same thread', async () => {
    const message = { kind: 'context' } as const;
    const { asked } = await play([
      output({
        action: 'recontextualising',
        verdict: rejected({ reason: 'irrelevant', detail: 'off', message }),
      }),
      output({}),
    ]);
    expect(asked[1]).toEqual({ ...askedAgain, message, lastIrrelevance: 'off' });
  });

  test('R001-15.1 a shorter request starts a fresh thread', async () => {
    const shorter = { ...request, question: 'Right?' };
    const { asked, output: result } = await play([
      output({ action: 'shortening', verdict: rejected({ reason: 'timed_out' }), request: shorter }),
      output({ request: shorter }),
    ]);
    expect(asked[1]).toEqual({ ...askedAgain, request: shorter, sessionId: null });
    expect(result.request).toEqual(request);
  });

  test('an overloaded agent gets the request again after the wait', async () => {
    const spent = { ...nothingSpent, attempts: 1, waiting: 1 };
    const { asked } = await play([
      output({ action: 'waiting', spent, verdict: rejected({ reason: 'overloaded', retryAfterMs: 7 }) }),
      output({}),
    ]);
    expect(asked[1]).toEqual({
      ...askedAgain,
      spent,
      wait: { number: 1, retryAfterMs: 7, unreachable: false },
      sessionId: null,
    });
  });

  test('a wait applies to one turn only', async () => {
    const { asked } = await play([
      output({ action: 'waiting', verdict: rejected({ reason: 'overloaded', retryAfterMs: 7 }) }),
      output({ action: 'repairing', verdict: rejected({}) }),
      output({}),
    ]);
    expect(asked.map(({ wait }) => wait)).toEqual([
      null,
      { number: 0, retryAfterMs: 7, unreachable: false },
      null,
    ]);
  });

  test('a turn that was ended for the sake of another continues in its own thread without a wait', async () => {
    const { asked } = await play([
      output({ action: 'waiting', verdict: rejected({ reason: 'cut', uncounted: true }) }),
      output({}),
    ]);
    expect(asked[1]).toEqual({ ...askedAgain, message: { kind: 'cut_again' } });
  });

  test('a turn that was ended before it had a thread is requested again from scratch', async () => {
    const verdict = rejected({ reason: 'cut', uncounted: true });
    const { asked } = await play([output({ action: 'waiting', verdict, sessionId: null }), output({})]);
    expect(asked[1]).toEqual({
      ...askedAgain,
      sessionId: null,
      wait: { number: 0, retryAfterMs: null, unreachable: false },
    });
  });

  test('X001-7.4 X001-9.3 a reverse request is answered and the attempt goes on', async () => {
    const answer: SettledReverseAnswer = {
      tag: '[RESPONSE:CLAUDE:CONTEXT]',
      by: 'policy',
      declined: 'no lead',
      sections: {},
    };
    const back = { tag: '[CONSULT:CLAUDE:CONTEXT]', text: 'What is it for?' } as const;
    const spent = { ...nothingSpent, answering: 1 };
    const {
      asked,
      askedBack,
      output: result,
    } = await play(
      [output({ action: 'answering', spent, verdict: { kind: 'asked_back', request: back } }), output({})],
      answer,
    );
    expect(askedBack).toEqual([
      { exchange: expect.objectContaining({ name: 'chunk-1' }), number: 1, request: back },
    ]);
    expect(asked[1]).toEqual({
      ...askedAgain,
      attempt: 1,
      spent,
      message: { kind: 'reverse_answer', asked: [{ request: back, answer }] },
    });
    expect(result.outcome).toBe('settled');
  });

  test('X001-7.4 nothing is answered where nothing was asked back', async () => {
    await expect(play([output({ action: 'answering' })])).rejects.toThrow('no reverse request stands open');
    const verdict = { kind: 'asked_back', request: { tag: '[CONSULT:CLAUDE:CONTEXT]', text: '' } } as const;
    await expect(play([output({ action: 'answering', verdict })])).rejects.toThrow('nobody answers');
  });
});

describe('an exchange that does not settle keeps every attempt and its reason', () => {
  test('exhausted', async () => {
    const kept = { block, wanted: ['ISSUES'], from: [1] };
    const { output: result } = await play([output({ action: 'exhausted', verdict: rejected({ kept }) })]);
    expect(result).toEqual({
      name: 'chunk-1',
      path: 'review/chunk-1',
      request,
      outcome: 'exhausted',
      cause: 'protocol',
      detail: 'no marker line',
      hint: null,
      block,
      issues: null,
      shown: [],
      turns: [record],
    });
  });

  test('unavailable', async () => {
    const { output: result } = await play([
      output({
        action: 'unavailable',
        verdict: rejected({ reason: 'unavailable', cause: 'auth', detail: '401', hint: 'codex login' }),
      }),
    ]);
    expect(result).toEqual({
      name: 'chunk-1',
      path: 'review/chunk-1',
      request,
      outcome: 'unavailable',
      cause: 'auth',
      detail: '401',
      hint: 'codex login',
      block: null,
      issues: null,
      shown: [],
      turns: [record],
    });
  });
});

test('a machine without its actors fails and names the missing one', async () => {
  const input = { name: 'chunk-1', path: 'review/chunk-1', request, budgets: defaultBudgets };
  await expect(outputOf(createActor(exchangeMachine, { input }))).rejects.toThrow('ask is not provided');
  const verdict = { kind: 'asked_back', request: { tag: '[CONSULT:CLAUDE:CONTEXT]', text: '' } } as const;
  const asksBack = fromPromise<AskOutput, AskInput>(async () => output({ action: 'answering', verdict }));
  const machine = exchangeMachine.provide({ actors: { ask: asksBack } });
  await expect(outputOf(createActor(machine, { input }))).rejects.toThrow('answer back is not provided');
});

test('every state is reachable through the ladder', () => {
  const back = { tag: '[CONSULT:CLAUDE:CONTEXT]', text: '' } as const;
  const turns = exchangeActions.map((action) => ({
    type: 'xstate.done.actor.asking' as const,
    output: output({
      action,
      verdict:
        action === 'settled'
          ? settled
          : action === 'answering'
            ? { kind: 'asked_back' as const, request: back }
            : rejected({}),
    }),
    actorId: 'asking',
  }));
  const passed = turns.flatMap((event) => statesPassed(event));
  expect([...new Set(passed)].toSorted()).toEqual(Object.keys(exchangeMachine.states).toSorted());
});

/** Returns the states after the end of one turn, by the machine's own microsteps. */
function statesPassed(event: {
  readonly type: 'xstate.done.actor.asking';
  readonly output: AskOutput;
}): readonly string[] {
  const passed: string[] = [];
  const actor = createActor(
    exchangeMachine.provide({ actors: { ask: neverAsks, 'answer back': neverAnswers } }),
    {
      input: { name: 'chunk-1', path: 'review/chunk-1', request, budgets: defaultBudgets },
      inspect: (inspected) => {
        if (inspected.type !== '@xstate.microstep') return;
        if ('value' in inspected.snapshot) passed.push(String(inspected.snapshot.value));
      },
    },
  );
  actor.start();
  actor.send(event);
  passed.push(actor.getSnapshot().value);
  actor.stop();
  return passed;
}

const neverAsks = fromPromise<AskOutput, AskInput>(pending);
const neverAnswers = fromPromise<SettledReverseAnswer, AnswerBackInput>(pending);

function pending(): Promise<never> {
  return new Promise(() => {});
}
