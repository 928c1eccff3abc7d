import { createActor, fromPromise, toPromise } from 'xstate';
import { describe, expect, test } from 'vitest';
import { exchangeActions } from '../events/collab-event.ts';
import type { ConsultRequest } from '../prompts/request.ts';
import { exchangeMachine, type AnswerBackInput } from './exchange-machine.ts';
import type {
  AskInput,
  AskOutput,
  ExchangeOutput,
  ReverseAnswer,
  TurnRecord,
  Verdict,
} from './exchange-types.ts';
import { defaultBudgets, nothingSpent } from './ladder.ts';

const request: ConsultRequest = {
  tag: '[REQUEST:REVIEW]',
  question: 'Is it right?',
  sections: ['STRENGTHS', 'ISSUES', 'SUGGESTIONS'],
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

const settled: Verdict = { kind: 'settled', block, issues: [], mergedFrom: [1] };

function rejected(facts: Partial<Extract<Verdict, { kind: 'rejected' }>>): Verdict {
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

async function play(turns: readonly AskOutput[], reverse?: ReverseAnswer): Promise<Played> {
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
      'answer back': fromPromise<ReverseAnswer, AnswerBackInput>(async ({ input }) => {
        askedBack.push(input);
        if (reverse === undefined) throw new Error('nobody answers');
        return reverse;
      }),
    },
  });
  const actor = createActor(machine, { input: { name: 'chunk-1', request, budgets: defaultBudgets } });
  const done = toPromise(actor);
  actor.start();
  return { output: await done, asked, askedBack };
}

test('a whole answer settles the exchange with one turn', async () => {
  const { output: result, asked } = await play([output({})]);
  expect(result).toMatchObject({ outcome: 'settled', cause: null, issues: [], turns: [record] });
  expect(asked).toMatchObject([
    { turn: 1, attempt: 1, message: { kind: 'request' }, sessionId: null, kept: null },
  ]);
});

describe('each rung goes back to asking', () => {
  test('R001-13 the structure is asked for in the same thread', async () => {
    const message = { kind: 'structure', causes: ['code_fence'], note: null } as const;
    const { asked } = await play([
      output({ action: 'repairing', verdict: rejected({ message }) }),
      output({}),
    ]);
    expect(asked[1]).toMatchObject({ turn: 2, attempt: 2, message, sessionId: 'thread-1', kept: null });
  });

  test('R001-14 only the missing sections are asked for, and the others are kept', async () => {
    const message = { kind: 'sections', missing: ['SUGGESTIONS'] } as const;
    const kept = { block, wanted: ['SUGGESTIONS'], from: [1] };
    const { asked } = await play([
      output({ action: 'completing', verdict: rejected({ reason: 'incomplete', message, kept }) }),
      output({}),
    ]);
    expect(asked[1]).toMatchObject({ message, kept, sessionId: 'thread-1' });
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
    expect(asked[1]).toMatchObject({ message, sessionId: 'thread-1', lastIrrelevance: 'off' });
  });

  test('R001-15 a shorter request starts a fresh thread', async () => {
    const shorter = { ...request, question: 'Right?' };
    const { asked, output: result } = await play([
      output({ action: 'shortening', verdict: rejected({ reason: 'timed_out' }), request: shorter }),
      output({ request: shorter }),
    ]);
    expect(asked[1]).toMatchObject({
      request: shorter,
      message: { kind: 'request' },
      sessionId: null,
      kept: null,
    });
    expect(result.request).toEqual(request);
  });

  test('an overloaded agent is asked afresh after the wait', async () => {
    const spent = { ...nothingSpent, attempts: 1, waiting: 1 };
    const { asked } = await play([
      output({ action: 'waiting', spent, verdict: rejected({ reason: 'overloaded', retryAfterMs: 7 }) }),
      output({}),
    ]);
    expect(asked[1]).toMatchObject({
      wait: { number: 1, retryAfterMs: 7 },
      message: { kind: 'request' },
      sessionId: null,
    });
  });

  test('a turn that was ended for the sake of another goes on in its own thread without a wait', async () => {
    const { asked } = await play([
      output({ action: 'waiting', verdict: rejected({ reason: 'cut', uncounted: true }) }),
      output({}),
    ]);
    expect(asked[1]).toMatchObject({ wait: null, message: { kind: 'cut_again' }, sessionId: 'thread-1' });
  });

  test('X001-7 a reverse request is answered and the attempt goes on', async () => {
    const answer: ReverseAnswer = {
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
    expect(askedBack).toEqual([{ exchange: 'chunk-1', number: 1, request: back }]);
    expect(asked[1]).toMatchObject({
      turn: 2,
      attempt: 1,
      message: { kind: 'reverse_answer', answer },
      sessionId: 'thread-1',
    });
    expect(result.outcome).toBe('settled');
  });
});

describe('an exchange that does not settle keeps every attempt and says why', () => {
  test('exhausted', async () => {
    const { output: result } = await play([
      output({ action: 'exhausted', verdict: rejected({ detail: 'no marker line' }) }),
    ]);
    expect(result).toMatchObject({
      outcome: 'exhausted',
      cause: 'protocol',
      detail: 'no marker line',
      block: null,
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
    expect(result).toMatchObject({
      outcome: 'unavailable',
      cause: 'auth',
      detail: '401',
      hint: 'codex login',
    });
  });
});

test('every state is reached by some way through the ladder', () => {
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

/** The states that one turn's end leads through, seen by the machine's own microsteps. */
function statesPassed(event: {
  readonly type: 'xstate.done.actor.asking';
  readonly output: AskOutput;
}): readonly string[] {
  const passed: string[] = [];
  const actor = createActor(
    exchangeMachine.provide({ actors: { ask: neverAsks, 'answer back': neverAnswers } }),
    {
      input: { name: 'chunk-1', request, budgets: defaultBudgets },
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
const neverAnswers = fromPromise<ReverseAnswer, AnswerBackInput>(pending);

function pending(): Promise<never> {
  return new Promise(() => {});
}
