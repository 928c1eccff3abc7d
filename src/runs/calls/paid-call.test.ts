import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import type { Harvest, TurnCall, TurnResult } from '../../providers/contract/contract.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { createBudget, noLimits } from './budget.ts';
import { createDeadline } from './deadline.ts';
import { makePaidCall, type PaidCall } from './paid-call.ts';

const answer: TurnResult = {
  kind: 'answered',
  text: 'Done.',
  sessionId: 's',
  usage: null,
  stopReason: null,
};
const gone: TurnResult = { kind: 'cut', message: 'no such session', sessionId: null, uncounted: false };

/** An attempt after a process that died. */
function lost(number: number, found: Harvest): Partial<Script> {
  return { number, lostSessionId: 'lost', found };
}

test('a call that was not lost sends its prompt to its session, under the id of its attempt', async () => {
  const { outcome, sent, harvested } = await run({ sessionId: 'own' });
  expect(outcome).toEqual(answer);
  expect(sent).toEqual(['review/1/1 to own: the prompt']);
  expect(harvested).toEqual([]);
});

test('a lost call is repeated: in its own session if the agent has no trace of it, else in the lost one', async () => {
  const fresh = await run({ ...lost(2, { kind: 'not_sent' }), sessionId: 'own' });
  expect(fresh.sent).toEqual(['review/1/2 to own: the prompt']);
  const again = await run({ ...lost(2, { kind: 'interrupted' }), sessionId: 'own' });
  expect(again.sent).toEqual(['review/1/2 to lost: again']);
  expect(again.harvested).toEqual(['lost review/1']);
});

test.each(['not_sent', 'interrupted'] as const)(
  'a call that was lost twice is not made a third time, also if it is %s',
  async (kind) => {
    const { outcome, sent } = await run(lost(3, { kind }));
    expect(outcome).toEqual({
      kind: 'cut',
      message: 'the call was lost twice with its process',
      sessionId: 'lost',
      uncounted: false,
    });
    expect(sent).toEqual([]);
  },
);

test.each(['not_sent', 'interrupted'] as const)(
  'a call whose process dies each time, and is %s, is made twice in all',
  async (kind) => {
    const attempts = [{}, ...[2, 3, 4, 5].map((number) => lost(number, { kind }))];
    const made = await Promise.all(attempts.map((attempt) => run(attempt)));
    expect(made.flatMap(({ sent }) => sent)).toHaveLength(2);
  },
);

test('a recovered answer is not paid for again, however often the call was lost', async () => {
  const found: Harvest = { kind: 'answered', text: 'Done.', usage: null, stopReason: 'max_output_tokens' };
  for (const number of [2, 9]) {
    const { outcome, sent, events, texts } = await run(lost(number, found));
    expect(outcome).toEqual({ ...found, sessionId: 'lost' });
    expect(sent).toEqual([]);
    expect(texts).toEqual(['Done.']);
    expect(events).toEqual([{ type: 'turn.ended', stop_reason: 'max_output_tokens', usage: null }]);
  }
  const { outcome } = await run(lost(2, { kind: 'answered', text: 'Done.', usage: null }));
  expect(outcome).toMatchObject({ stopReason: null });
});

test('a missing session was sent nothing: a new one gets the whole prompt, once, if there is one', async () => {
  const script = { sessionId: 'own', results: [gone, gone] };
  const afresh = await run({ ...script, afresh: 'all of it' });
  expect(afresh.sent).toEqual(['review/1/1 to own: the prompt', 'review/1/1 to null: all of it']);
  expect(afresh.outcome).toEqual(gone);
  const ended = await run({ ...script, afresh: null });
  expect(ended.sent).toEqual(['review/1/1 to own: the prompt']);
  const fresh = await run({ ...script, sessionId: null, afresh: 'all of it' });
  expect(fresh.sent).toEqual(['review/1/1 to null: the prompt']);
});

test('a session that was cut has the prompt, and gets no second one', async () => {
  const { sent } = await run({ sessionId: 'own', results: [{ ...gone, sessionId: 'own' }], afresh: 'all' });
  expect(sent).toHaveLength(1);
});

test('after the deadline nothing is sent or looked up, whatever else refuses the call', async () => {
  const silent = { kind: 'refused', cause: 'silent', message: 'no sign', made: false } as const;
  const late = await run({ ...lost(2, { kind: 'not_sent' }), refusal: silent, isLate: true });
  expect(late.outcome).toMatchObject({ kind: 'refused', cause: 'time', made: false });
  expect([late.sent, late.harvested]).toEqual([[], []]);
  const refused = await run({ ...lost(2, { kind: 'not_sent' }), refusal: silent });
  expect(refused.outcome).toBe(silent);
  expect([refused.sent, refused.harvested]).toEqual([[], []]);
});

test('a spent budget refuses the call', async () => {
  const { outcome, sent } = await run({ budget: createBudget({ ...noLimits, calls: 0 }) });
  expect(outcome).toMatchObject({ kind: 'refused', cause: 'budget', made: false });
  expect(sent).toEqual([]);
});

test('a call is not made if another process has the run before its records are durable', async () => {
  const { call, sent } = build({ recorded: () => Promise.reject(new Error('lost')) });
  await expect(makePaidCall(call)).rejects.toThrow('lost');
  expect(sent).toEqual([]);
});

test('every sent prompt counts as a call of the budget', async () => {
  const budget = createBudget({ ...noLimits, calls: 2 });
  const { events } = await run({ sessionId: 'own', results: [gone, answer], afresh: 'all of it', budget });
  expect(events).toEqual([
    { type: 'budget', spent: 1, left: 1, unit: 'calls' },
    { type: 'budget', spent: 2, left: 0, unit: 'calls' },
  ]);
});

test('the deadline ends a call in progress as a refused call that was made', async () => {
  const { call, deadlineOver, sent } = build({ neverEnds: true });
  const outcome = makePaidCall(call);
  await expect.poll(() => sent).toHaveLength(1);
  await deadlineOver();
  expect(await outcome).toMatchObject({ kind: 'refused', cause: 'time', made: true });
});

test.each(['attempt', 'actor'] as const)(
  'a call that its %s aborts rejects, also after the deadline',
  async (which) => {
    const { call, deadlineOver, sent, stops } = build({ neverEnds: true });
    const outcome = makePaidCall(call).catch((error: unknown) => error);
    await expect.poll(() => sent).toHaveLength(1);
    stops[which].abort(new Error('stopped'));
    await deadlineOver();
    expect(await outcome).toEqual(new Error('stopped'));
  },
);

interface Script {
  readonly number: number;
  readonly lostSessionId: string | null;
  readonly found: Harvest;
  readonly sessionId: string | null;
  readonly afresh: string | null;
  readonly results: readonly TurnResult[];
  readonly refusal: ReturnType<NonNullable<PaidCall['refusal']>>;
  readonly budget: PaidCall['terms']['budget'];
  readonly isLate: boolean;
  readonly neverEnds: boolean;
  readonly recorded: PaidCall['attempt']['recorded'];
}

async function run(script: Partial<Script>) {
  const { call, deadlineOver, ...seen } = build(script);
  if (script.isLate === true) await deadlineOver();
  const outcome = await makePaidCall(call);
  return { outcome, ...seen };
}

function build({
  number = 1,
  lostSessionId = null,
  found = { kind: 'not_sent' },
  sessionId = null,
  afresh = null,
  results = [answer],
  refusal = null,
  budget = createBudget(noLimits),
  neverEnds = false,
  recorded = async () => {},
}: Partial<Script>) {
  const sent: string[] = [];
  const harvested: string[] = [];
  const texts: string[] = [];
  const events: EventBody[] = [];
  const stops = { attempt: new AbortController(), actor: new AbortController() };
  const clock = createManualClock();
  const deadline = createDeadline(1000, clock);
  deadline.start();
  const call: PaidCall = {
    terms: { deadline, budget, actorSignal: stops.actor.signal },
    attempt: { number, lostSessionId, signal: stops.attempt.signal, bind: async () => {}, recorded },
    name: 'review/1',
    prompt: 'the prompt',
    sessionId,
    again: () => 'again',
    afresh: () => afresh,
    refusal: () => refusal,
    harvest: async (lostId, callId) => {
      harvested.push(`${lostId} ${callId}`);
      return found;
    },
    turn: async (paid) => {
      sent.push(`${paid.callId} to ${paid.sessionId}: ${paid.prompt}`);
      return neverEnds ? aborted(paid) : (results[sent.length - 1] ?? answer);
    },
    emit: (event) => void events.push(event),
    onFound: (text) => void texts.push(text),
  };
  return { call, sent, harvested, texts, events, stops, deadlineOver: () => clock.advance(1000) };
}

/** Rejects after its abort, as an agent that ends its turn first. */
function aborted({ signal }: TurnCall): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => setImmediate(() => reject(signal.reason)));
  });
}
