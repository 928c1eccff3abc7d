/** The contract of the outer port over every store: what readers and racing owners see of a run. */
import { afterEach, describe, expect, test } from 'vitest';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import type { Question, RunContext } from '../../../src/engine/port.ts';
import type { Engine } from '../../../src/runs/engine/engine.ts';
import { Deferred } from '../../../src/system/deferred.ts';
import { sha256 } from '../../../src/text/digest.ts';
import { createTestRuns, type StoreUnderTest } from './store-under-test.ts';

const racers = 6;

export function testEngine(under: StoreUnderTest): void {
  const runs = createTestRuns(under);
  const { engine } = runs;

  describe(`the engine over the ${under.name} store`, () => {
    afterEach(() => runs.clear());

    test('a reader from before the run, a late one and one that resumes see each record once, over two drives', async () => {
      const run = runs.create();
      const early = readAll(engine.events(run.found, 0, never));
      await run.drive({ body: askBetweenSteps });
      const resumed = readAll(engine.events(run.found, 4, never));
      await run.answer('gate', 'yes');
      await run.drive({ body: askBetweenSteps });
      const whole = await run.record();
      expect(whole.map(({ seq }) => seq)).toEqual(whole.map((_, index) => index + 1));
      expect(whole.at(-1)?.type).toBe('run.ended');
      expect(await early).toEqual(whole);
      expect(await resumed).toEqual(whole.slice(4));
      expect(await readAll(engine.events(run.found, 0, never))).toEqual(whole);
      expect(await readAll(engine.events(run.found, whole.length - 1, never))).toEqual(whole.slice(-1));
    });

    test('a reader that leaves ends its stream', async () => {
      const run = runs.create();
      await run.drive({ body: askBetweenSteps });
      const left = new AbortController();
      const seen: CollabEvent[] = [];
      for await (const lines of engine.events(run.found, 0, left.signal)) {
        seen.push(...lines.map(({ event }) => event));
        // An empty batch: the reader has all records so far.
        if (lines.length === 0) left.abort();
      }
      expect(seen).toEqual(await run.record());
    });

    test('six racing owners, half of them in another process: one drives, and five are refused', async () => {
      const run = runs.create();
      const raced = new Deferred<void>();
      let refused = 0;
      const race = Array.from({ length: racers }, (_, index) =>
        run
          .drive({
            store: index % 2 === 0 ? under.store : under.other,
            body: (context) =>
              context.step('work', {}, async () => {
                await raced.promise;
                return { value: index };
              }),
          })
          .catch((error: unknown) => {
            refused += 1;
            if (refused === racers - 1) raced.resolve();
            return error;
          }),
      );
      const ends = await Promise.all(race);
      expect(ends.filter((end) => !(end instanceof Error))).toMatchObject([{ kind: 'settled' }]);
      expect(ends.filter((end) => end instanceof Error)).toMatchObject(
        Array.from({ length: racers - 1 }, () => ({ code: 'locked' })),
      );
      expect((await run.record()).map(({ type }) => type)).toEqual([
        'run.started',
        'step.begun',
        'step.ended',
        'run.ended',
      ]);
    });

    test('another process reads the first and the last record, and the large texts', async () => {
      const run = runs.create();
      expect(await engine.ends(run.found)).toBeNull();
      await expect(engine.records(run.found)).rejects.toMatchObject({ code: 'run_not_found' });
      const text = 'ä prompt';
      let kept = '';
      await run.drive({
        body: (context) =>
          context.step('ask', {}, async (attempt) => {
            kept = attempt.keep(text);
            attempt.emit({ ...sent, prompt_ref: kept }, { exchangeId: 'e' });
            return { value: 'answer' };
          }),
      });
      const whole = await run.record();
      expect(await engine.ends(run.found)).toEqual({ first: whole[0], last: whole.at(-1) });
      expect([await engine.text(run.found, kept), await engine.text(run.found, sha256('another'))]).toEqual([
        text,
        null,
      ]);
    });

    test('a run is driven only while a process has it', async () => {
      const run = runs.create();
      const begun = new Deferred<void>();
      const over = new Deferred<void>();
      const driving = run.drive({
        body: (context) =>
          context.step('work', {}, async () => {
            begun.resolve();
            await over.promise;
            return { value: null };
          }),
      });
      await begun.promise;
      const isDriven = [await engine.isDriven(run.found)];
      over.resolve();
      await driving;
      isDriven.push(await engine.isDriven(run.found));
      expect(isDriven).toEqual([true, false]);
      expect(await engine.status(run.found)).toMatchObject({ state: 'ended', ended: { status: 'success' } });
    });
  });
}

const never = new AbortController().signal;

const sent = { type: 'exchange.sent', tag: '[REQUEST:REVIEW]', attempt: 1, prompt_bytes: 0 } as const;

const question: Question<string> = { kind: 'gate', text: 'Yes?', schema: { type: 'string' }, parse: String };

async function askBetweenSteps(context: RunContext): Promise<string> {
  await context.step('first', {}, () => Promise.resolve({ value: 1 }));
  const answer = await context.receive('gate', question);
  await context.step('second', {}, () => Promise.resolve({ value: 2 }));
  return answer;
}

async function readAll(batches: ReturnType<Engine['events']>): Promise<readonly CollabEvent[]> {
  const seen: CollabEvent[] = [];
  for await (const lines of batches) seen.push(...lines.map(({ event }) => event));
  return seen;
}
