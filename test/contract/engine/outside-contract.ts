/** The contract of every store, seen by processes that do not drive the run. */
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import { collabEventSchema, type EventBody } from '../../../src/events/collab-event.ts';
import type { Question, RunContext, StepAttempt } from '../../../src/engine/port.ts';
import type { OwnerReply, RequestHandler } from '../../../src/engine/lock/requests.ts';
import type { EngineStore } from '../../../src/engine/store/engine-store.ts';
import { Deferred } from '../../../src/system/deferred.ts';
import { endedWith } from './scripted-review.ts';
import { createTestRuns, type StoreUnderTest } from './store-under-test.ts';

export function testOtherProcesses(under: StoreUnderTest): void {
  const runs = createTestRuns(under);

  describe(`other processes and the ${under.name} store`, () => {
    afterEach(() => runs.clear());

    test('the owner accepts an answer from another process, and the run continues', async () => {
      const run = runs.create();
      const asked = new Deferred<void>();
      const driving = run.drive({
        body: askWhileWorking(asked),
        onEvent: ({ type }) => type === 'question.asked' && asked.resolve(),
      });
      await run.asks('gate');
      await run.answer('gate', 'yes', 'caller');
      expect(await driving).toEqual({ kind: 'settled', result: 'yes' });
      expect((await run.record()).filter(({ type }) => type === 'question.answered')).toMatchObject([
        { name: 'gate', by: 'caller', value: 'yes' },
      ]);
    });

    test('an answer to an owner that is leaving the run is recorded once it has left', async () => {
      const [leaving, refused, gone] = [new Deferred<void>(), new Deferred<void>(), new Deferred<void>()];
      const other: EngineStore = {
        ...under.other,
        async ask(...words) {
          const reply = await under.other.ask(...words);
          refused.resolve();
          return reply;
        },
      };
      const run = createTestRuns({ ...under, other }).create();
      const driving = run.drive({
        body: (context) => context.receive('gate', question),
        onDeparture: async () => {
          leaving.resolve();
          await gone.promise;
        },
      });
      await leaving.promise;
      const answering = run.answer('gate', 'yes');
      await refused.promise;
      gone.resolve();
      await Promise.all([driving, answering]);
      expect(await run.drive({ body: (context) => context.receive('gate', question) })).toEqual({
        kind: 'settled',
        result: 'yes',
      });
    });

    test('an answer to a run without a driver is recorded once, and only if it fits', async () => {
      const run = runs.create();
      await run.drive({ body: (context) => context.receive('gate', question) });
      expect(await run.questions()).toMatchObject([{ name: 'gate', text: 'Yes or no?' }]);
      const answering = (name: string, value: unknown) =>
        run.answer(name, value).then(
          () => null,
          (error: unknown) => error,
        );
      expect([
        await answering('other', 'yes'),
        await answering('gate', 'perhaps'),
        await answering('gate', 'no'),
        await answering('gate', 'yes'),
      ]).toMatchObject([
        { code: 'input', message: 'The run has no question other' },
        { code: 'input', details: { name: 'gate' } },
        null,
        { code: 'input', message: 'The question gate is already answered', details: { name: 'gate' } },
      ]);
      expect(await run.questions()).toEqual([]);
      expect(await run.drive({ body: (context) => context.receive('gate', question) })).toEqual({
        kind: 'settled',
        result: 'no',
      });
    });

    test('a cancel request reaches the owner, which settles by its own protocol; open items are closed', async () => {
      const run = runs.create();
      const cancelled = new Deferred<string>();
      const emitted = new Deferred<void>();
      const driving = run.drive({
        body: (context) => {
          void context.step('ask', {}, talkUntilStopped);
          return cancelled.promise;
        },
        settle: () => endedWith('cancelled'),
        onCancel: () => cancelled.resolve('cancelled'),
        onEvent: ({ type }) => type === 'exchange.sent' && emitted.resolve(),
      });
      await emitted.promise;
      expect(await run.cancel()).toBe('asked');
      expect(await driving).toEqual({ kind: 'settled', result: 'cancelled' });
      const events = await run.record();
      expect(events.map(({ type }) => type)).toEqual([
        'run.started',
        'step.begun',
        'tool.call',
        'exchange.sent',
        'tool.result',
        'step.abandoned',
        'run.ended',
      ]);
      expect(checkLaws(events)).toEqual([]);
    });

    test.each([
      ['at once', () => Promise.resolve()],
      ['once others see the question', (run: TestRun) => run.asks('gate')],
    ])(
      'a cancel request that comes between a question and the suspension ends a run that ends %s',
      async (_when, ending) => {
        const { run, cancelling, driving } = cancelWhenAsked(under, ending);
        expect(await driving).toEqual({ kind: 'settled', result: 'cancelled' });
        expect(await cancelling.promise).toMatchObject({ ok: true });
        expect((await run.record()).map(({ type }) => type)).toEqual([
          'run.started',
          'question.asked',
          'run.ended',
        ]);
      },
    );

    test('an answer that a gate does not offer is refused with an explanation, and the question stays open', async () => {
      const run = runs.create();
      const schema = { type: 'string', pattern: '^(?:approve|stop)' };
      const gate: Question<string> = { kind: 'gate', text: 'Approve?', schema, parse: String };
      await run.drive({ body: (context) => context.receive('gate', gate) });
      await expect(run.answer('gate', 'fine with me')).rejects.toMatchObject({
        code: 'input',
        message: 'The answer to gate is invalid: it is not one of the offered answers',
        hint: expect.stringContaining('collab show'),
      });
      expect(await run.questions()).toHaveLength(1);
    });

    test('a run that cannot be canceled says so', async () => {
      const run = runs.create();
      const asked = new Deferred<void>();
      const driving = run.drive({
        body: askWhileWorking(asked),
        onEvent: ({ type }) => type === 'question.asked' && asked.resolve(),
      });
      await run.asks('gate');
      await expect(run.cancel()).rejects.toMatchObject({
        code: 'input',
        message: "The run's process refused: this run cannot be canceled",
      });
      await run.answer('gate', 'no');
      await driving;
    });

    test('XB-1.3 XB-2.2 a run without a process is cancelled in its record, for good', async () => {
      const run = runs.create();
      const interruption = new AbortController();
      await run.drive({
        signal: interruption.signal,
        body: async (context) => {
          await context.step('first', {}, (attempt) => {
            attempt.emit(sent, { exchangeId: 'e' });
            attempt.emit(
              { type: 'exchange.rejected', reason: 'empty', detail: '', action: 'repairing' },
              { exchangeId: 'e' },
            );
            return Promise.resolve({ value: null });
          });
          return context.step('second', {}, talkUntilStopped);
        },
        onEvent: (event) => event.type === 'tool.call' && interruption.abort(),
      });
      expect(await run.state()).toBe('interrupted');
      expect(await run.cancel()).toBe('ended');
      expect(await run.cancel()).toBe('ended');
      const events = await run.record();
      expect(events.at(-1)).toMatchObject({ status: 'cancelled', reasons: ['cancelled'], outcome: null });
      expect(events.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
      expect(checkLaws(events)).toEqual([]);
      expect(events.map((event) => JSON.stringify(collabEventSchema.parse(event)))).toEqual(
        events.map((event) => JSON.stringify(event)),
      );
    });

    test('a run that is canceled during a question stops waiting and accepts no answer', async () => {
      const run = runs.create();
      await run.drive({ body: (context) => context.receive('gate', question) });
      await run.cancel();
      expect(await run.questions()).toEqual([]);
      await expect(run.answer('gate', 'yes')).rejects.toMatchObject({
        code: 'input',
        message: 'The run has ended',
      });
      expect((await run.record()).filter(({ type }) => type === 'question.answered')).toEqual([]);
    });

    test('the state of a run: running, waiting, interrupted, ended', async () => {
      const run = runs.create();
      await expect(run.state()).rejects.toMatchObject({ code: 'run_not_found' });
      const interruption = new AbortController();
      const begun = new Deferred<void>();
      const driving = run.drive({
        signal: interruption.signal,
        body: (context) => context.step('ask', {}, talkUntilStopped),
        onEvent: ({ type }) => type === 'tool.call' && begun.resolve(),
      });
      await begun.promise;
      const states = [await run.state()];
      interruption.abort();
      await driving;
      states.push(await run.state());
      await run.drive({ body: (context) => context.receive('gate', question) });
      states.push(await run.state());
      await run.drive({ body: () => Promise.resolve('done') });
      states.push(await run.state());
      expect(states).toEqual(['running', 'interrupted', 'waiting', 'ended']);
    });

    test('a process that waits for the owner continues on its release or at the time limit', async () => {
      const run = runs.create();
      const asked = new Deferred<void>();
      const driving = run.drive({
        body: askWhileWorking(asked),
        onEvent: ({ type }) => type === 'question.asked' && asked.resolve(),
      });
      await run.asks('gate');
      const timeUp = new AbortController();
      const impatient = run.wait(timeUp.signal);
      const patient = run.wait(new AbortController().signal);
      timeUp.abort();
      expect(await impatient).toBe('still_driven');
      await run.answer('gate', 'no');
      expect(await patient).toBe('free');
      await driving;
    });

    test('an owner that lost the run to another process writes nothing more', async () => {
      const run = runs.create();
      const departure = await run.drive({
        body: async (context) => {
          await context.step('first', {}, async () => {
            await run.takeFrom();
            return { value: 1 };
          });
          return 'never reached';
        },
      });
      expect(departure).toEqual({ kind: 'interrupted', reason: 'lock_lost' });
      expect((await run.record()).map(({ type }) => type)).toEqual(['run.started', 'step.begun']);
    });

    test('a drive that is interrupted before it starts leaves nothing behind', async () => {
      const run = runs.create();
      const departure = await run.drive({
        signal: AbortSignal.abort(),
        body: () => Promise.resolve('never'),
      });
      expect(departure).toEqual({ kind: 'interrupted', reason: 'signal' });
      expect(existsSync(run.folder)).toBe(false);
    });

    test('an effect that binds or emits after the run has left ends without effect', async () => {
      const run = runs.create();
      const interruption = new AbortController();
      const bound: unknown[] = [];
      const departure = await run.drive({
        signal: interruption.signal,
        body: (context) =>
          context.step('ask', {}, async (attempt) => {
            interruption.abort();
            await attempt.bind('session').catch((error: unknown) => bound.push(error));
            attempt.emit({ type: 'title', title: 'too late' });
            return { value: null };
          }),
      });
      expect(departure).toEqual({ kind: 'interrupted', reason: 'signal' });
      expect(bound).toMatchObject([{ code: 'cancelled' }]);
      expect((await run.record()).map(({ type }) => type)).toEqual(['run.started', 'step.begun']);
    });

    test('a view that fails stops the run and is not mistaken for an outcome', async () => {
      const run = runs.create();
      const driving = run.drive({
        body: (context) => context.step('ask', {}, () => Promise.resolve({ value: 1 })),
        onEvent: ({ type }) => {
          if (type === 'step.ended') throw new RangeError('the view is broken');
        },
      });
      await expect(driving).rejects.toThrow('the view is broken');
      expect((await run.record()).map(({ type }) => type)).not.toContain('run.ended');
    });
  });
}

type TestRun = ReturnType<ReturnType<typeof createTestRuns>['create']>;

/** Drives a run that gets a cancel request as soon as its question is recorded, and then needs the time of `ending`. */
function cancelWhenAsked(under: StoreUnderTest, ending: (run: TestRun) => Promise<unknown>) {
  const cancelling = new Deferred<OwnerReply>();
  const cancelled = new Deferred<void>();
  let request: RequestHandler | null = null;
  const store: EngineStore = {
    ...under.store,
    async claim(claimed) {
      const claim = await under.store.claim(claimed);
      return {
        ...claim,
        onRequest(handler) {
          request = handler;
          claim.onRequest(handler);
        },
      };
    },
  };
  const run = createTestRuns({ ...under, store }).create();
  const driving = run.drive({
    async body(context) {
      void context.receive('gate', question);
      await cancelled.promise;
      await ending(run);
      return 'cancelled';
    },
    settle: () => endedWith('cancelled'),
    onCancel: () => cancelled.resolve(),
    onEvent: ({ type }) => {
      if (type !== 'question.asked') return;
      // The run waits for its question, and has not left.
      queueMicrotask(() => void request?.({ type: 'cancel' }).then((reply) => cancelling.resolve(reply)));
    },
  });
  return { run, cancelling, driving };
}

const question: Question<string> = {
  kind: 'gate',
  text: 'Yes or no?',
  schema: { type: 'string', enum: ['yes', 'no'] },
  parse: (value) => (value === 'yes' || value === 'no' ? value : fail('neither yes nor no')),
};

const sent: EventBody = {
  type: 'exchange.sent',
  tag: '[REQUEST:REVIEW]',
  attempt: 1,
  prompt_bytes: 0,
  prompt_ref: '',
};

/** Keeps a step running until the question was asked, so that the run cannot suspend before its answer. */
function askWhileWorking(asked: Deferred<void>): (context: RunContext) => Promise<string> {
  return async (context) => {
    const answered = new Deferred<void>();
    const working = context.step('work', {}, async () => {
      await asked.promise;
      await answered.promise;
      return { value: null };
    });
    const answer = await context.receive('gate', question);
    answered.resolve();
    await working;
    return answer;
  };
}

function talkUntilStopped(attempt: StepAttempt): Promise<never> {
  attempt.emit({
    type: 'tool.call',
    call_id: 'c',
    name: 'Bash',
    display_name: 'Bash',
    args: {},
    summary: '',
    trigger: 'agent',
  });
  attempt.emit(sent, { exchangeId: 'e-2' });
  return new Promise<never>((_, reject) => {
    attempt.signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

function fail(message: string): never {
  throw new TypeError(message);
}
