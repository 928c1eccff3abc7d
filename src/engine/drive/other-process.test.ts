import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkLaws } from '../../events/laws.ts';
import type { EventBody } from '../../events/collab-event.ts';
import type { PerformOptions } from './perform-options.ts';
import { performRun } from './perform-run.ts';
import type { Question, RunContext, StepAttempt } from '../port.ts';
import { readJournal } from '../journal/journal-reader.ts';
import { journalFile } from '../journal/journal.ts';
import { linesOf, linesRenderedAgain, runEnvelope } from '../journal/open-journal.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import {
  answerRun,
  requestCancel,
  openQuestions,
  readOutcome,
  runState,
  waitForOwner,
} from './other-process.ts';
import { Deferred } from '../../system/deferred.ts';

let home = '';
let runFolder = '';
const clock = createManualClock();

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'collab-outside-'));
  runFolder = join(home, 'runs', 'run-1');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('the owner accepts an answer from another process, and the run continues', async () => {
  const asked = new Deferred<void>();
  const driving = drive({
    body: askWhileWorking(asked),
    onEvent: ({ type }) => type === 'question.asked' && asked.resolve(),
  });
  await asked.promise;
  await answerRun({ runFolder, clock, name: 'gate', value: 'yes', by: 'caller' });
  expect(await driving).toEqual({ kind: 'settled', result: 'yes' });
  expect(bodies('question.answered')).toMatchObject([{ name: 'gate', by: 'caller', value: 'yes' }]);
});

test('an answer to a run without a driver is recorded once, and only if it fits', async () => {
  await drive({ body: (context) => context.receive('gate', question) });
  expect(await openQuestions(runFolder)).toMatchObject([{ name: 'gate', text: 'Yes or no?' }]);
  const answering = (name: string, value: unknown) =>
    answerRun({ runFolder, clock, name, value, by: 'user' }).then(
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
    { code: 'input', message: 'The question gate is already answered' },
  ]);
  expect(await openQuestions(runFolder)).toEqual([]);
  expect(await drive({ body: (context) => context.receive('gate', question) })).toEqual({
    kind: 'settled',
    result: 'no',
  });
});

test('a cancel request reaches the owner, which settles by its own protocol; open items are closed', async () => {
  const cancelled = new Deferred<string>();
  const emitted = new Deferred<void>();
  const driving = drive({
    body: (context) => {
      void context.step('ask', {}, talkUntilStopped);
      return cancelled.promise;
    },
    settle: () => ended('cancelled'),
    onCancel: () => cancelled.resolve('cancelled'),
    onEvent: ({ type }) => type === 'exchange.sent' && emitted.resolve(),
  });
  await emitted.promise;
  expect(await requestCancel({ runFolder, clock })).toBe('asked');
  expect(await driving).toEqual({ kind: 'settled', result: 'cancelled' });
  const { events } = readJournal(journalFile(runFolder));
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

test('an answer that a gate does not offer is refused with an explanation, and the question stays open', async () => {
  const schema = { type: 'string', pattern: '^(?:approve|stop)' };
  const gate: Question<string> = { kind: 'gate', text: 'Approve?', schema, parse: String };
  await drive({ body: (context) => context.receive('gate', gate) });
  await expect(
    answerRun({ runFolder, clock, name: 'gate', value: 'fine with me', by: 'user' }),
  ).rejects.toMatchObject({
    code: 'input',
    message: 'The answer to gate is invalid: it is not one of the offered answers',
    hint: expect.stringContaining('collab show'),
  });
  expect(await openQuestions(runFolder)).toHaveLength(1);
});

test('a run that cannot be canceled says so', async () => {
  const asked = new Deferred<void>();
  const driving = drive({
    body: askWhileWorking(asked),
    onEvent: ({ type }) => type === 'question.asked' && asked.resolve(),
  });
  await asked.promise;
  await expect(requestCancel({ runFolder, clock })).rejects.toMatchObject({
    code: 'input',
    message: "The run's process refused: this run cannot be canceled",
  });
  await answerRun({ runFolder, clock, name: 'gate', value: 'no', by: 'user' });
  await driving;
});

test('XB-1.3 XB-2.2 a run without a process is cancelled in its record, for good', async () => {
  const interruption = new AbortController();
  await drive({
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
  expect(await runState(runFolder)).toBe('interrupted');
  expect(await requestCancel({ runFolder, clock })).toBe('ended');
  expect(await requestCancel({ runFolder, clock })).toBe('ended');
  expect(readOutcome(runFolder)).toMatchObject({ status: 'cancelled', outcome: null });
  const { events } = readJournal(journalFile(runFolder));
  expect(events.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
  expect(checkLaws(events)).toEqual([]);
  expect(linesRenderedAgain(journalFile(runFolder))).toEqual(linesOf(journalFile(runFolder)));
});

test('a run that is canceled during a question stops waiting and accepts no answer', async () => {
  await drive({ body: (context) => context.receive('gate', question) });
  await requestCancel({ runFolder, clock });
  expect(await openQuestions(runFolder)).toEqual([]);
  await expect(answerRun({ runFolder, clock, name: 'gate', value: 'yes', by: 'user' })).rejects.toMatchObject(
    { code: 'input', message: 'The run has ended' },
  );
  expect(bodies('question.answered')).toEqual([]);
});

test('the state of a run: running, waiting, interrupted, ended', async () => {
  await expect(runState(runFolder)).rejects.toMatchObject({ code: 'run_not_found' });
  const interruption = new AbortController();
  const begun = new Deferred<void>();
  const driving = drive({
    signal: interruption.signal,
    body: (context) => context.step('ask', {}, talkUntilStopped),
    onEvent: ({ type }) => type === 'tool.call' && begun.resolve(),
  });
  await begun.promise;
  const states = [await runState(runFolder)];
  interruption.abort();
  await driving;
  states.push(await runState(runFolder));
  await drive({ body: (context) => context.receive('gate', question) });
  states.push(await runState(runFolder));
  await drive({ body: () => Promise.resolve('done') });
  states.push(await runState(runFolder));
  expect(states).toEqual(['running', 'interrupted', 'waiting', 'ended']);
});

test('a process that waits for the owner continues on its release or at the time limit', async () => {
  const asked = new Deferred<void>();
  const driving = drive({
    body: askWhileWorking(asked),
    onEvent: ({ type }) => type === 'question.asked' && asked.resolve(),
  });
  await asked.promise;
  const timeUp = new AbortController();
  const impatient = waitForOwner({ runFolder, clock }, timeUp.signal);
  const patient = waitForOwner({ runFolder, clock }, new AbortController().signal);
  timeUp.abort();
  expect(await impatient).toBe('still_driven');
  await answerRun({ runFolder, clock, name: 'gate', value: 'no', by: 'user' });
  expect(await patient).toBe('free');
  await driving;
});

test('an owner that lost the run to another process writes nothing more', async () => {
  const departure = await drive({
    body: async (context) => {
      await context.step('first', {}, () => {
        writeFileSync(join(runFolder, 'lock.2'), '{"socket":"/nowhere","pid":1}');
        return Promise.resolve({ value: 1 });
      });
      return 'never reached';
    },
  });
  expect(departure).toEqual({ kind: 'interrupted', reason: 'lock_lost' });
  expect(readJournal(journalFile(runFolder)).events.map(({ type }) => type)).toEqual([
    'run.started',
    'step.begun',
  ]);
});

test('a drive that is interrupted before it starts leaves nothing behind', async () => {
  const departure = await drive({ signal: AbortSignal.abort(), body: () => Promise.resolve('never') });
  expect(departure).toEqual({ kind: 'interrupted', reason: 'signal' });
  expect(existsSync(runFolder)).toBe(false);
});

test('an effect that binds or emits after the run has left ends without effect', async () => {
  const interruption = new AbortController();
  const bound: unknown[] = [];
  const departure = await drive({
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
  expect(readJournal(journalFile(runFolder)).events.map(({ type }) => type)).toEqual([
    'run.started',
    'step.begun',
  ]);
});

test('a view that fails stops the run and is not mistaken for an outcome', async () => {
  const driving = drive({
    body: (context) => context.step('ask', {}, () => Promise.resolve({ value: 1 })),
    onEvent: ({ type }) => {
      if (type === 'step.ended') throw new RangeError('the view is broken');
    },
  });
  await expect(driving).rejects.toThrow('the view is broken');
  expect(readOutcome(runFolder)).toBeNull();
});

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

function drive<Result>(options: Partial<PerformOptions<Result>> & Pick<PerformOptions<Result>, 'body'>) {
  return performRun<Result>({
    runFolder,
    clock,
    envelope: runEnvelope(),
    signal: new AbortController().signal,
    start: { type: 'run.started', name: 'collab', tools: [], cwd: '/' },
    settle: () => ended('success'),
    ...options,
  });
}

function ended(status: 'success' | 'cancelled'): Extract<EventBody, { type: 'run.ended' }> {
  const outcome = status === 'success' ? 'clean' : null;
  return {
    type: 'run.ended',
    status,
    outcome,
    reasons: [],
    result: null,
    errors: [],
    duration_ms: 0,
    turns: 0,
  };
}

function bodies(type: EventBody['type']) {
  return readJournal(journalFile(runFolder)).events.filter((event) => event.type === type);
}

function fail(message: string): never {
  throw new TypeError(message);
}
