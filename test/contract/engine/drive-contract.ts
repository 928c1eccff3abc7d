/** The contract of every store below the driver, seen by the process that drives a run. */
import { afterEach, describe, expect, test } from 'vitest';
import type { CollabEvent, EventBody } from '../../../src/events/collab-event.ts';
import type { Question, RunContext } from '../../../src/engine/port.ts';
import { Deferred } from '../../../src/system/deferred.ts';
import { createTestRuns, type StoreUnderTest } from './store-under-test.ts';

export function testDrives(under: StoreUnderTest): void {
  const runs = createTestRuns(under);

  describe(`a drive over the ${under.name} store`, () => {
    afterEach(() => runs.clear());

    test('performs a step once and then always answers from the record', async () => {
      const run = runs.create();
      const calls: number[] = [];
      const body = async (context: RunContext): Promise<string> => {
        const first = await context.step('ask', { prompt: 'p' }, (attempt) => {
          calls.push(attempt.number);
          return answer({ kind: 'timed_out', after: 3 });
        });
        return JSON.stringify(first);
      };
      const departures = [
        await run.drive({ body, settle: unfinished }),
        await run.drive({ body, settle: unfinished }),
      ];

      expect(departures).toEqual([
        { kind: 'settled', result: '{"kind":"timed_out","after":3}' },
        { kind: 'settled', result: '{"kind":"timed_out","after":3}' },
      ]);
      expect(calls).toEqual([1]);
    });

    test('records a step in order: started, bound, its events, ended', async () => {
      const run = runs.create();
      await run.drive({
        body: (context) =>
          context.step('ask', {}, async (attempt) => {
            await attempt.bind('session-1');
            attempt.emit({ type: 'title', title: 'of the exchange' }, { exchangeId: 'e-1' });
            return { value: 'answer' };
          }),
      });
      expect((await run.record()).map(brief)).toEqual([
        'run.started',
        'step.begun ask',
        'step.bound ask',
        'title ask',
        'step.ended ask',
        'run.ended',
      ]);
    });

    test('answers a live step with the value that JSON keeps, like a replay', async () => {
      const run = runs.create();
      const departures = [await run.drive({ body: askTheTime }), await run.drive({ body: askTheTime })];
      const settled = { kind: 'settled', result: { at: '1970-01-01T00:00:00.000Z' } };
      expect(departures).toEqual([settled, settled]);
    });

    test('keeps a large value completely', async () => {
      const run = runs.create();
      const large = 'ä'.repeat(100_000);
      const body = (context: RunContext): Promise<string> => context.step('big', {}, () => answer(large));
      const departures = [await run.drive({ body }), await run.drive({ body })];
      expect(departures.map(({ kind }) => kind)).toEqual(['settled', 'settled']);
      expect(
        departures.map((departure) => departure.kind === 'settled' && departure.result === large),
      ).toEqual([true, true]);
    });

    test('names the steps of children by their path and numbers all records without a gap', async () => {
      const run = runs.create();
      await run.drive({
        body: (context) =>
          Promise.all(
            ['a', 'b', 'c'].map((name) =>
              context.child(name, async (child) => {
                await child.step('one', name, () => answer(1));
                return child.child('deep', (deep) => deep.step('two', name, () => answer(2)));
              }),
            ),
          ),
      });
      const record = await run.record();
      expect(record.map(({ seq }) => seq)).toEqual(record.map((_, index) => index + 1));
      expect(
        record
          .map(brief)
          .filter((line) => line.startsWith('step.ended'))
          .toSorted(),
      ).toEqual([
        'step.ended a/deep/two',
        'step.ended a/one',
        'step.ended b/deep/two',
        'step.ended b/one',
        'step.ended c/deep/two',
        'step.ended c/one',
      ]);
    });

    test('stops with replay_mismatch when a remembered step gets another input', async () => {
      const run = runs.create();
      await run.drive({
        settle: unfinished,
        body: (context) => context.step('ask', { prompt: 'old' }, () => answer(1)),
      });
      const before = await run.record();
      const again = run.drive({
        settle: unfinished,
        body: async (context) => {
          try {
            return await context.step('ask', { prompt: 'new' }, () => answer(2));
          } catch {
            return 'the machine made something of it';
          }
        },
      });
      await expect(again).rejects.toMatchObject({ code: 'replay_mismatch', details: { step: 'ask' } });
      expect(await run.record()).toEqual(before);
    });

    test('accepts the same input with another order of keys', async () => {
      const run = runs.create();
      await run.drive({ settle: unfinished, body: asking({ a: 1, b: { c: 2, d: [3] } }) });
      const again = await run.drive({ settle: unfinished, body: asking({ b: { d: [3], c: 2 }, a: 1 }) });
      expect(again).toEqual({ kind: 'settled', result: 1 });
    });

    test('performs a refused step again, with its number and without its session', async () => {
      const run = runs.create();
      const seen: unknown[] = [];
      const body = (context: RunContext): Promise<string> =>
        context.step('ask', {}, async (attempt) => {
          seen.push([attempt.number, attempt.lostSessionId]);
          await attempt.bind(`session-${attempt.number}`);
          attempt.emit({ type: 'title', title: 'tried' });
          return { value: 'no login', remember: attempt.number === 2 };
        });
      await run.drive({ body, settle: unfinished });
      expect((await run.record()).map(brief)).toEqual([
        'run.started',
        'step.begun ask',
        'step.bound ask',
        'title ask',
        'step.abandoned ask',
      ]);
      await run.drive({ body });
      expect(seen).toEqual([
        [1, null],
        [2, null],
      ]);
      expect((await run.record()).at(-1)?.type).toBe('run.ended');
    });

    test('does not remember an exception of a step, and passes its session to the next attempt', async () => {
      const run = runs.create();
      const sessions: unknown[] = [];
      const body = (context: RunContext): Promise<string> =>
        context.step('ask', {}, async (attempt) => {
          sessions.push(attempt.lostSessionId);
          if (attempt.number > 1) return { value: 'whole' };
          await attempt.bind('session-1');
          throw new TypeError('our own bug');
        });
      await expect(run.drive({ body })).rejects.toThrow('our own bug');
      expect((await run.record()).map(brief)).not.toContain('run.ended');
      expect(await run.drive({ body })).toEqual({ kind: 'settled', result: 'whole' });
      expect(sessions).toEqual([null, 'session-1']);
    });

    test('passes on the session of a lost attempt until a step has its answer', async () => {
      const run = runs.create();
      const seen: unknown[] = [];
      const interruption = new AbortController();
      await run.drive({
        signal: interruption.signal,
        body: (context) =>
          context.step('ask', { prompt: 'p' }, async (attempt) => {
            seen.push([attempt.number, attempt.lostSessionId]);
            await attempt.bind('session-1');
            interruption.abort();
            throw new Error('aborted');
          }),
      });
      const losses = [new AbortController(), new AbortController()];
      for (const again of losses) {
        await run.drive({
          signal: again.signal,
          body: (context) =>
            context.step('ask', { prompt: 'p' }, (attempt) => {
              seen.push([attempt.number, attempt.lostSessionId]);
              again.abort();
              return Promise.reject(new Error('aborted'));
            }),
        });
      }
      await run.drive({
        settle: unfinished,
        body: (context) =>
          context.step('ask', { prompt: 'another' }, (attempt) => {
            seen.push([attempt.number, attempt.lostSessionId]);
            return answer(1);
          }),
      });
      expect(seen).toEqual([
        [1, null],
        [2, 'session-1'],
        [3, 'session-1'],
        [4, null],
      ]);
    });

    test('replays a run that has ended, writes nothing, and refuses to perform new steps', async () => {
      const run = runs.create();
      await run.drive({ body: asking({}) });
      const before = await run.record();
      expect(await run.drive({ body: asking({}) })).toEqual({ kind: 'settled', result: 1 });
      await expect(
        run.drive({ body: (context) => context.step('another', {}, () => answer(1)) }),
      ).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/^The run .+ has ended; there is nothing to resume$/),
        hint: 'collab show prints what it found.',
        details: { name: 'another' },
      });
      expect(await run.record()).toEqual(before);
      expect(before.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
    });

    test('suspends if there is no answerer, and continues after an answer', async () => {
      const run = runs.create();
      const body = askThenWork;
      expect(await run.drive({ body })).toEqual({ kind: 'suspended', question: 'gate' });
      expect(await run.drive({ body })).toEqual({ kind: 'suspended', question: 'gate' });
      await run.answer('gate', true);
      expect(await run.drive({ body })).toEqual({ kind: 'settled', result: 'accepted: true' });
      expect((await run.record()).map(brief)).toEqual([
        'run.started',
        'question.asked',
        'question.answered',
        'step.begun after',
        'step.ended after',
        'run.ended',
      ]);
    });

    test('lets running work finish before it suspends', async () => {
      const run = runs.create();
      const departure = await run.drive({
        body: (context) =>
          Promise.all([
            context.receive('gate', confirmation),
            context.child('paid', async (child) => {
              await child.step('one', {}, () => later(1));
              return child.step('two', {}, () => later(2));
            }),
          ]),
      });
      expect(departure).toEqual({ kind: 'suspended', question: 'gate' });
      expect((await run.record()).map(brief).at(-1)).toBe('step.ended paid/two');
    });

    test('asks an available answerer once, and waits for it', async () => {
      const run = runs.create();
      const asked: string[] = [];
      const departure = await run.drive({
        body: (context) => context.receive('gate', confirmation),
        answerer: async ({ name: question }) => {
          asked.push(question);
          for (let ticks = 0; ticks < 10; ticks += 1) await later(null);
          return { value: true, by: 'user' };
        },
      });
      expect(departure).toEqual({ kind: 'settled', result: true });
      expect(asked).toEqual(['gate']);
    });

    test('leaves no pending work that could settle: machine first, then effects, in one tick', async () => {
      const run = runs.create();
      const interruption = new AbortController();
      const order: string[] = [];
      const settled: string[] = [];
      const note = (what: string) => () => void settled.push(what);
      const departure = await run.drive({
        signal: interruption.signal,
        body: (context) => {
          context.signal.addEventListener('abort', () => order.push('machine'));
          const begun = [new Deferred<void>(), new Deferred<void>()];
          const step = context.step('ask', {}, (attempt) => {
            begun[0]?.resolve();
            return interrupted(attempt.signal, order);
          });
          const child = context.child('c', (inner) =>
            inner.step('ask', {}, ({ signal }) => {
              begun[1]?.resolve();
              return interrupted(signal, []);
            }),
          );
          const receive = context.receive('gate', confirmation);
          for (const promise of [step, child, receive]) promise.then(note('resolved'), note('rejected'));
          void interruptOnceBegun();
          return new Promise<never>(() => undefined);

          async function interruptOnceBegun(): Promise<void> {
            await Promise.all(begun.map(({ promise }) => promise));
            interruption.abort();
            order.push('same tick');
            context.step('late', {}, () => answer(1)).then(note('late'), note('late'));
          }
        },
      });
      expect(departure).toEqual({ kind: 'interrupted', reason: 'signal' });
      expect(order).toEqual(['machine', 'effect', 'same tick']);
      await later(null);
      expect(settled).toEqual([]);
      expect((await run.record()).map(brief)).not.toContain('run.ended');
      expect((await run.record()).filter(({ type }) => type === 'step.ended')).toEqual([]);
    });

    test('closes everything that a lost attempt opened before the next attempt', async () => {
      const run = runs.create();
      const interruption = new AbortController();
      await run.drive({
        signal: interruption.signal,
        body: (context) =>
          context.step('ask', {}, async (attempt) => {
            attempt.emit(agentStarted('sub-1'));
            attempt.emit(toolCall('call-1'));
            await later(null);
            interruption.abort();
            return new Promise<never>((_, reject) => {
              reject(new Error('aborted'));
            });
          }),
      });
      const lost = (await run.record()).length;
      await run.drive({ body: (context) => context.step('ask', {}, () => answer('whole')) });
      expect((await run.record()).slice(lost).map(brief)).toEqual([
        'tool.result ask',
        'agent.ended ask',
        'step.abandoned ask',
        'step.begun ask',
        'step.ended ask',
        'run.ended',
      ]);
    });
  });
}

const confirmation: Question<boolean> = {
  kind: 'gate',
  text: 'Go on?',
  schema: { type: 'boolean' },
  parse(value) {
    if (typeof value !== 'boolean') throw new TypeError('not a boolean');
    return value;
  },
};

function unfinished(): null {
  return null;
}

function askTheTime(context: RunContext): Promise<unknown> {
  return context.step('time', {}, () => answer({ at: new Date(0), left_out: undefined }));
}

function asking(input: unknown): (context: RunContext) => Promise<number> {
  return (context) => context.step('ask', input, () => answer(1));
}

async function askThenWork(context: RunContext): Promise<string> {
  const yes = await context.receive('gate', confirmation);
  return context.step('after', { yes }, () => answer(`accepted: ${String(yes)}`));
}

function brief(event: CollabEvent): string {
  return event.step === undefined ? event.type : `${event.type} ${event.step}`;
}

function answer<Value>(value: Value): Promise<{ readonly value: Value }> {
  return Promise.resolve({ value });
}

function later<Value>(value: Value): Promise<{ readonly value: Value }> {
  return new Promise((resolve) => {
    setImmediate(() => resolve({ value }));
  });
}

function interrupted(signal: AbortSignal, order: string[]): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      order.push('effect');
      reject(new Error('aborted'));
    });
  });
}

function agentStarted(agent_id: string): EventBody {
  return { type: 'agent.started', agent_id, agent_type: 'Explore', description: 'looks around' };
}

function toolCall(call_id: string): EventBody {
  return {
    type: 'tool.call',
    call_id,
    name: 'Bash',
    display_name: 'Bash',
    args: {},
    summary: '',
    trigger: 'agent',
  };
}
