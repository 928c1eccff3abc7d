/** A store that makes records durable later: what a drive must not do before they are. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Question, RunContext, StepAttempt } from '../../../src/engine/port.ts';
import { embeddedStore } from '../../../src/engine/store/embedded-store.ts';
import { createLateStore } from './late-store.ts';
import { createTestRuns } from './store-under-test.ts';

let late = createLateStore();
let runs = testRuns();
beforeEach(() => {
  late = createLateStore();
  runs = testRuns();
});
afterEach(() => runs.clear());

test('a call is made only after its start is durable, and continues only after its session is', async () => {
  const run = runs.create();
  const calls: string[] = [];
  const driving = run.drive({
    onEvent: ({ type }) => type === 'step.begun' && late.hold(),
    body: (context) =>
      context.step('ask', {}, async (attempt) => {
        calls.push('made');
        late.hold();
        const bound = attempt.bind('session').then(() => calls.push('bound'));
        await settled();
        expect(calls).toEqual(['made']);
        late.letGo();
        await bound;
        return { value: null };
      }),
  });
  await settled();
  expect(calls).toEqual([]);
  late.letGo();
  await driving;
  expect(calls).toEqual(['made', 'bound']);
});

test('a call is not made if the run leaves before its start is durable', async () => {
  const run = runs.create();
  const interruption = new AbortController();
  const calls: string[] = [];
  const driving = run.drive({
    signal: interruption.signal,
    onEvent: ({ type }) => type === 'step.begun' && late.hold(),
    body: (context) => context.step('ask', {}, () => Promise.resolve({ value: calls.push('made') })),
  });
  await until(() => late.isHeld());
  interruption.abort();
  late.letGo();
  expect(await driving).toEqual({ kind: 'interrupted', reason: 'signal' });
  expect(calls).toEqual([]);
});

test('the machine gets the value of a step only after its end is durable', async () => {
  const run = runs.create();
  const seen: string[] = [];
  const driving = run.drive({
    onEvent: ({ type }) => type === 'step.ended' && late.hold(),
    async body(context) {
      seen.push(await context.step('ask', {}, () => Promise.resolve({ value: 'answer' })));
      return seen;
    },
  });
  await settled();
  expect(seen).toEqual([]);
  late.letGo();
  expect(await driving).toEqual({ kind: 'settled', result: ['answer'] });
});

test('a step that may be done again waits for nothing, and the next call waits for its records', async () => {
  const run = runs.create();
  const seen: string[] = [];
  const driving = run.drive({
    async body(context) {
      late.hold();
      seen.push(await context.step('count', {}, async () => ({ value: 'computed' }), { repeatable: true }));
      await context.step('ask', {}, () => Promise.resolve({ value: seen.push('called') }));
      return seen;
    },
  });
  await settled();
  expect(seen).toEqual(['computed']);
  late.letGo();
  expect(await driving).toEqual({ kind: 'settled', result: ['computed', 'called'] });
});

test('the start of a step that waits for its records before each call is not waited for', async () => {
  const run = runs.create();
  const calls: string[] = [];
  const call = async (attempt: StepAttempt) => {
    calls.push('prepared');
    await attempt.recorded();
    return { value: calls.push('made') };
  };
  const driving = run.drive({
    onEvent: ({ type }) => type === 'step.begun' && late.hold(),
    body: (context) => context.step('ask', {}, call, { guarded: true }),
  });
  await settled();
  expect(calls).toEqual(['prepared']);
  late.letGo();
  await driving;
  expect(calls).toEqual(['prepared', 'made']);
});

test('a run does not suspend while the end of a step is not durable: the machine may have more to do', async () => {
  const run = runs.create();
  const driving = run.drive({
    onEvent: ({ type, step }) => type === 'step.ended' && step === 'one' && late.hold(),
    body: (context) => Promise.all([context.receive('gate', question), oneThenTwo(context)]),
  });
  await settled();
  late.letGo();
  expect(await driving).toEqual({ kind: 'suspended', question: 'gate' });
  expect((await run.record()).filter(({ type }) => type === 'step.ended')).toHaveLength(2);
});

test('a run that settles while the end of a step is not durable does not abandon the step', async () => {
  const run = runs.create();
  const driving = run.drive({
    onEvent: ({ type }) => type === 'step.ended' && late.hold(),
    async body(context) {
      void context.step('ask', {}, () => Promise.resolve({ value: null }));
      await until(() => late.isHeld());
      return null;
    },
  });
  await settled();
  late.letGo();
  await driving;
  expect((await run.record()).map(({ type }) => type)).toEqual([
    'run.started',
    'step.begun',
    'step.ended',
    'run.ended',
  ]);
});

test.each([
  ['run.ended', 'a settled', () => Promise.resolve('done')],
  ['question.asked', 'a suspended', (context: RunContext) => context.receive('gate', question)],
] as const)('%s is durable before %s run leaves', async (type, _how, body) => {
  const run = runs.create();
  let left = false;
  const driving = run
    .drive<unknown>({ body, onEvent: (event) => event.type === type && late.hold() })
    .then(() => (left = true));
  await settled();
  expect(left).toBe(false);
  late.letGo();
  await driving;
});

test('an answer is confirmed, and used, only after it is durable', async () => {
  const run = runs.create();
  const order: string[] = [];
  const driving = run.drive({
    onEvent: ({ type }) => type === 'question.answered' && late.hold(),
    async body(context) {
      const working = context.step('work', {}, async () => {
        await nextTurn();
        const answering = run.answer('gate', true).then(() => order.push('confirmed'));
        await until(() => late.isHeld());
        await settled();
        expect(order).toEqual([]);
        late.letGo();
        await answering;
        return { value: null };
      });
      await context.receive('gate', question).then(() => order.push('used'));
      await working;
      return null;
    },
  });
  await driving;
  expect(order.toSorted()).toEqual(['confirmed', 'used']);
});

test.each(['step.begun', 'step.bound', 'step.ended', 'run.ended'] as const)(
  'a run that another process took over before %s was durable leaves without an end',
  async (type) => {
    const run = runs.create();
    const after: string[] = [];
    const driving = run.drive({
      onEvent: (event) => event.type === type && late.hold(),
      async body(context) {
        await context.step('ask', {}, async (attempt) => {
          if (type === 'step.begun') after.push('called');
          await attempt.bind('session');
          if (type === 'step.bound') after.push('sent');
          return { value: null };
        });
        if (type === 'step.ended') after.push('continued');
        return null;
      },
    });
    await until(() => late.isHeld());
    late.lose();
    expect(await driving).toEqual({ kind: 'interrupted', reason: 'lock_lost' });
    expect(after).toEqual([]);
  },
);

test.each(['bind', 'recorded'] as const)(
  'a call is not sent if the run is taken between the reply about its records and the call: %s',
  async (barrier) => {
    const run = runs.create();
    const calls: string[] = [];
    const driving = run.drive({
      body: (context) =>
        context.step('ask', {}, async (attempt) => {
          late.takeAfterReply();
          attempt.emit({ type: 'title', title: 'before' });
          await (barrier === 'bind' ? attempt.bind('session') : attempt.recorded());
          calls.push('sent');
          return { value: null };
        }),
    });
    expect(await driving).toEqual({ kind: 'interrupted', reason: 'lock_lost' });
    expect(calls).toEqual([]);
  },
);

test('a store that fails stops the run with its fault', async () => {
  const run = runs.create();
  const driving = run.drive({
    onEvent: ({ type }) => type === 'step.begun' && late.hold(),
    body: (context) => context.step('ask', {}, () => Promise.resolve({ value: null })),
  });
  await until(() => late.isHeld());
  late.lose(new RangeError('the database is full'));
  await expect(driving).rejects.toThrow('the database is full');
});

test('a claim that is lost while nothing is written stops the run at once', async () => {
  const run = runs.create();
  const driving = run.drive({
    body: (context) =>
      context.step('ask', {}, async ({ signal }) => {
        late.takeAway();
        expect(signal.aborted).toBe(true);
        return { value: null };
      }),
  });
  expect(await driving).toEqual({ kind: 'interrupted', reason: 'lock_lost' });
});

const question: Question<boolean> = {
  kind: 'gate',
  text: 'Go on?',
  schema: { type: 'boolean' },
  parse: (value) => value === true,
};

async function oneThenTwo(context: RunContext): Promise<void> {
  await context.step('one', {}, () => nextTurn({ value: 1 }));
  await context.step('two', {}, () => nextTurn({ value: 2 }));
}

/** Lets everything happen that does not wait for durability. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await nextTurn();
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

function testRuns() {
  return createTestRuns({
    name: 'late',
    store: late.store,
    other: embeddedStore,
    takeFrom: () => Promise.resolve(),
  });
}
