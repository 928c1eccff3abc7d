/** The ladder of a lead's turn: each row of the failures is run through the machine. */
import { createActor, fromPromise, toPromise } from 'xstate';
import { expect, test } from 'vitest';
import { leadMachine } from './lead-machine.ts';
import type { LeadAskInput, LeadAskOutput, LeadInput, LeadTurnRecord } from './lead-types.ts';
import { readLeadTurn } from './read-lead-turn.ts';
import type { TurnOutcome } from '../exchange/read-turn.ts';

const lead: LeadInput = {
  path: 'implementation/1/implement-1',
  work: { kind: 'implement', phase: 'implementation', round: 1, access: 'edit' },
  message: { kind: 'consults_spent', limit: 5 },
  recap: { brief: { task: 'Totals.', template: '', settled: [], manifest: null, language: null }, said: '' },
  sessionId: null,
  tree: 'tree-1',
  budgets: { waiting: 3 },
};

const answered: TurnOutcome = {
  kind: 'answered',
  text: 'Done.',
  sessionId: 'session-1',
  usage: null,
  stopReason: null,
};
const overloaded: TurnOutcome = {
  kind: 'overloaded',
  message: '529',
  retryAfterMs: 40,
  sessionId: 'session-1',
};
const cut: TurnOutcome = { kind: 'cut', message: 'gone', sessionId: 'session-1', uncounted: false };
const silent: TurnOutcome = { kind: 'timed_out', limit: 'idle', message: 'silence', sessionId: 'session-1' };
const empty: TurnOutcome = { kind: 'empty', message: 'no text', sessionId: 'session-1' };

function recordOf(turn: number): LeadTurnRecord {
  return { promptBytes: turn, answerBytes: 1, durationMs: 1, usage: null };
}

async function play(outcomes: readonly TurnOutcome[], input: LeadInput = lead) {
  const asked: LeadAskInput[] = [];
  const machine = leadMachine.provide({
    actors: {
      ask: fromPromise<LeadAskOutput, LeadAskInput>(async ({ input: question }) => {
        const outcome = outcomes[asked.length];
        if (outcome === undefined) throw new Error('asked once too often');
        asked.push(question);
        const sessionId = 'sessionId' in outcome ? outcome.sessionId : null;
        return {
          ...readLeadTurn(outcome, question.spent, lead.budgets),
          sessionId,
          tree: `tree-${asked.length + 1}`,
          record: recordOf(asked.length),
        };
      }),
    },
  });
  const actor = createActor(machine, { input });
  const output = toPromise(actor);
  actor.start();
  return { output: await output, asked, state: actor.getSnapshot().value };
}

test('a text ends the request, with the session and the tree of the turn', async () => {
  expect(await play([answered])).toEqual({
    state: 'answered',
    output: {
      outcome: 'answered',
      text: 'Done.',
      failure: null,
      sessionId: 'session-1',
      tree: 'tree-2',
      turns: [recordOf(1)],
    },
    asked: [
      {
        lead,
        turn: 1,
        message: lead.message,
        sessionId: null,
        tree: 'tree-1',
        spent: { waiting: 0, repeating: 0 },
        wait: null,
      },
    ],
  });
});

test('every turn is counted and kept, and continues with the earlier session, tree and budget', async () => {
  const { output, asked } = await play([overloaded, cut, answered]);
  expect(output.turns).toEqual([recordOf(1), recordOf(2), recordOf(3)]);
  expect(
    asked.map(({ turn, sessionId, tree, spent, wait }) => ({ turn, sessionId, tree, spent, wait })),
  ).toEqual([
    { turn: 1, sessionId: null, tree: 'tree-1', spent: { waiting: 0, repeating: 0 }, wait: null },
    {
      turn: 2,
      sessionId: 'session-1',
      tree: 'tree-2',
      spent: { waiting: 1, repeating: 0 },
      wait: { number: 1, retryAfterMs: 40, unreachable: false },
    },
    { turn: 3, sessionId: 'session-1', tree: 'tree-3', spent: { waiting: 1, repeating: 1 }, wait: null },
  ]);
});

test('a lead that only reads is not told about files', async () => {
  const { asked } = await play([cut, answered], { ...lead, work: { ...lead.work, access: 'read' } });
  expect(asked[1]?.message).toEqual({ kind: 'again', filesRestored: false });
});

test('without an actor it fails and names the missing one', async () => {
  const actor = createActor(leadMachine, { input: lead });
  const output = toPromise(actor);
  actor.start();
  await expect(output).rejects.toThrow('ask the lead is not provided');
});

test.each([
  ['a cut turn', cut],
  ['a silent one', silent],
  ['an empty one', empty],
  ['one of blanks', { ...answered, text: ' \n' }],
])('%s is asked for once more in its session, told that the files are as before', async (_, outcome) => {
  const { output, asked } = await play([outcome, answered]);
  expect(output.outcome).toBe('answered');
  expect(asked[1]).toMatchObject({
    sessionId: 'session-1',
    message: { kind: 'again', filesRestored: true },
  });
});

test('an answer cut at its length limit is requested again in fewer words, and never used', async () => {
  const long = { ...answered, stopReason: 'max_tokens' } as const;
  const { output, asked } = await play([long, answered]);
  expect(output.outcome).toBe('answered');
  expect(asked[1]).toMatchObject({ message: { kind: 'again', filesRestored: true, tooLong: true } });
  const { output: never } = await play([long, long]);
  expect(never).toMatchObject({ outcome: 'exhausted', text: null, failure: { cause: 'protocol' } });
});

test('without a session the first message is sent again', async () => {
  const { asked } = await play([{ ...cut, sessionId: null }, answered]);
  expect(asked[1]).toMatchObject({ sessionId: null, message: lead.message });
});

test('an overloaded lead is waited for as long as it requests, three times', async () => {
  const { output, asked } = await play([overloaded, overloaded, overloaded, overloaded]);
  expect(asked.map(({ wait }) => wait)).toEqual([
    null,
    { number: 1, retryAfterMs: 40, unreachable: false },
    { number: 2, retryAfterMs: 40, unreachable: false },
    { number: 3, retryAfterMs: 40, unreachable: false },
  ]);
  expect(output).toMatchObject({ outcome: 'unavailable', text: null, failure: { cause: 'overloaded' } });
});

test('a turn that we ended for the sake of another uses no budget', async () => {
  const uncounted = { ...cut, uncounted: true };
  const { output } = await play([uncounted, uncounted, uncounted, cut, answered]);
  expect(output.outcome).toBe('answered');
});

test.each([
  ['cut twice', [cut, cut], 'unavailable', 'died'],
  ['silent twice', [silent, silent], 'exhausted', 'time'],
  ['empty twice', [empty, empty], 'exhausted', 'protocol'],
  ['told too much', [{ ...silent, limit: 'context' }], 'exhausted', 'context'],
  [
    'logged out',
    [{ kind: 'unavailable', code: 'auth', message: 'log in', hint: 'claude /login' }],
    'unavailable',
    'auth',
  ],
  [
    'out of budget',
    [{ kind: 'refused', cause: 'budget', message: 'spent', made: false }],
    'exhausted',
    'budget',
  ],
] as const)('a lead that is %s ends it', async (_, outcomes, outcome, cause) => {
  const { output, state } = await play(outcomes);
  expect(output).toMatchObject({ outcome, text: null, failure: { cause } });
  expect(state).toBe(outcome);
});
