import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { filesHolding } from '../../../test/fixtures/files-holding.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { Deferred } from '../../system/deferred.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { defineTool } from '../../tools/definition/define-tool.ts';
import { conversationDetailsSchema } from '../routes/conversation-routes.ts';
import { base, dataOf, hanging, saying, serveRuns, type Served, type Turn } from '../served.test-helper.ts';
import { askOwner } from '../../engine/lock/lock.ts';
import { runFolderOf } from '../conversations/run-places.ts';
import type { RunNews } from './run-manager.ts';
import type { RunPorts } from './run-ports.ts';

test('X002-9.1-4,8 a second message is refused while a run goes on, which it does not disturb', async () => {
  const served = await serveRuns({ turns: [hanging('I think'), saying('Hello.')] });
  const first = await served.post('first', 'hello');
  await first.until('init');
  const second = await (await served.post('first', 'hello?')).whole;
  expect(second.map(({ event }) => event)).toEqual(['error', 'done']);
  expect(second.map((frame) => dataOf(frame)['seq'])).toEqual([1, 2]);
  expect(dataOf(second[0])).toMatchObject({ error_type: 'conversation_locked', recoverable: true });
  const elsewhere = await (await served.post('second', 'hello')).whole;
  expect(dataOf(elsewhere.at(-1))).toMatchObject({ status: 'success' });
  await served.open(`${base('first')}/cancel`, { method: 'POST' });
  expect(dataOf((await first.whole).at(-1))).toMatchObject({ status: 'cancelled' });
  expect(dataOf((await (await served.post('first', 'hello')).whole).at(-1))).toMatchObject({
    status: 'success',
  });
});

test('X002-9.4 a reader of the end may continue at once', async () => {
  const served = await serveRuns();
  for (const input of ['one', 'two', 'three', 'four']) {
    const frames = await (await served.post('first', input)).whole;
    expect(dataOf(frames.at(-1))['status']).toBe('success');
  }
});

test('X002-8.1,3 X002-14.2 what keeps a run from beginning is an error and an end, without an init', async () => {
  const types = [
    [new CollabError('cli_missing', 'no Claude Code'), 'sdk_not_installed'],
    [new CollabError('auth', 'not logged in'), 'options_error'],
    [new CollabError('model', 'no such model'), 'model_validation_error'],
    [new CollabError('options', 'no such skill'), 'options_error'],
    [new Error('a bug'), 'background_execution_error'],
  ] as const;
  for (const [error, type] of types) {
    const served = await serveRuns({ ports: { openLead: refusing(error) } });
    const frames = await (await served.post('first', 'hello')).whole;
    expect(frames.map(({ event }) => event).slice(-2)).toEqual(['error', 'done']);
    expect(dataOf(frames.at(-2))).toMatchObject({ error_type: type, recoverable: false });
    expect(dataOf(frames.at(-1))).toMatchObject({ status: 'error', is_error: true });
    expect(served.conversations.list('local')).toEqual([]);
  }
});

test('a bug is logged and not sent to the client', async () => {
  const bug = new Error('the password is 12345');
  const served = await serveRuns({ ports: { openLead: refusing(bug) } });
  const frames = await (await served.post('first', 'hello')).whole;
  expect(JSON.stringify(frames)).not.toContain('12345');
  expect(served.faults).toEqual([bug]);
});

test('an unknown command names the nearest one and starts nothing', async () => {
  const served = await serveRuns();
  const frames = await (await served.post('first', '/reviw')).whole;
  expect(dataOf(frames[0])).toMatchObject({ error_type: 'options_error' });
  expect(dataOf(frames[0])['message']).toContain('Did you mean /review?');
  expect(served.questions).toEqual([]);
  expect([served.leads.length, served.closedLeads()]).toEqual([1, 1]);
});

test('X002-11.1,3-5 a cancel ends the run that is meant and no other', async () => {
  const served = await serveRuns({ turns: [hanging('I think, therefore')] });
  const cancel = async (body: object) =>
    (
      await served.open(`${base('first')}/cancel`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).response.status;
  expect(await cancel({})).toBe(404);
  const stream = await served.post('first', 'hello');
  const { id } = await stream.until('init');
  expect(await cancel({ run_id: 'another' })).toBe(409);
  expect(await cancel({ run_id: id?.replace(/:\d+$/, '') })).toBe(202);
  expect(dataOf((await stream.whole).at(-1))).toMatchObject({
    status: 'cancelled',
    is_error: false,
    errors: null,
    result: 'I think, therefore',
  });
  expect(await cancel({})).toBe(409);
});

test('X002-11.2 a cancel that is sent again is accepted, and the run ends once', async () => {
  const released = new Deferred<void>();
  const served = await serveRuns({
    turns: [
      async (question) => {
        try {
          return await hanging('I think')(question);
        } finally {
          await released.promise;
        }
      },
    ],
  });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  const cancel = async () =>
    (await served.open(`${base('first')}/cancel`, { method: 'POST' })).response.status;
  expect([await cancel(), await cancel()]).toEqual([202, 202]);
  released.resolve();
  const frames = await stream.whole;
  expect(frames.filter(({ event }) => event === 'done')).toHaveLength(1);
  expect(dataOf(frames.at(-1))).toMatchObject({ status: 'cancelled' });
});

test('R002-7 X002-1.3 a model that is silent for five seconds has a session, so that pings can follow', async () => {
  const clock = createManualClock();
  const served = await serveRuns({ clock, turns: [silent] });
  const stream = await served.post('first', 'hello');
  await expect.poll(() => served.questions.length).toBe(1);
  await clock.advance(4999);
  expect(stream.frames()).toEqual([]);
  await clock.advance(1);
  expect((await stream.until('init')).id).toMatch(/:1$/);
  stream.leave();
});

test('R002-5 X002-13.1,4 a turn ends with timeout_error after 300 s, and not before', async () => {
  const clock = createManualClock();
  const served = await serveRuns({ clock, turns: [hanging('I think')] });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  await clock.advance(299_900);
  expect(stream.frames().map(({ event }) => event)).not.toContain('done');
  await clock.advance(100);
  const frames = await stream.whole;
  expect(dataOf(frames.at(-2))).toMatchObject({ error_type: 'timeout_error', recoverable: true });
  expect(dataOf(frames.at(-1))).toMatchObject({ status: 'error', is_error: true });
});

test('X002-9.7 after its limit and a grace a conversation is free, whatever its turn does', async () => {
  const clock = createManualClock();
  const served = await serveRuns({ clock, turns: [deaf, saying('Hello.')] });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  await clock.advance(300_000 + 30_000);
  await clock.advance(10_000);
  const frames = await stream.whole;
  expect(dataOf(frames.at(-1))).toMatchObject({ status: 'error' });
  expect(dataOf((await (await served.post('first', 'hello')).whole).at(-1))).toMatchObject({
    status: 'success',
  });
});

test('R002-29.2 X002-7 a conversation whose context is full takes nothing more', async () => {
  const served = await serveRuns({ turns: [filling], projection: { contextLength: () => 1000 } });
  const first = await (await served.post('first', 'hello')).whole;
  expect(dataOf(first.at(-2))).toMatchObject({ warning_level: 'blocked', can_continue: false });
  const second = await (await served.post('first', 'hello?')).whole;
  expect(second.map(({ event }) => event)).toEqual(['error', 'done']);
  expect(dataOf(second[0])).toMatchObject({ error_type: 'context_limit_exceeded', recoverable: false });
});

test('R002-29.1 how full a context is stands in its conversation, until a later turn tells it anew', async () => {
  const turns = [filling, saying('Nothing told.'), filling];
  const served = await serveRuns({ turns, projection: { contextLength: () => 1000 } });
  const seen: unknown[] = [];
  for (const tokens of [700, 0, 850]) {
    await (
      await served.post('first', String(tokens))
    ).whole;
    seen.push(await conversationOf(served));
  }
  await served.restart();
  const [warning, critical] = [
    { can_continue: true, context: { usage_percent: 70, warning_level: 'warning' } },
    { can_continue: true, context: { usage_percent: 85, warning_level: 'critical' } },
  ];
  expect([...seen, await conversationOf(served)]).toEqual([warning, warning, critical, critical]);
});

test('R002-27.2 a conversation whose context a model has refused takes nothing more', async () => {
  const served = await serveRuns({ turns: [overflowing] });
  const frames = await (await served.post('first', 'hello')).whole;
  expect(dataOf(frames.at(-2))).toMatchObject({ error_type: 'context_limit_exceeded' });
  expect(await conversationOf(served)).toEqual({ can_continue: false, context: null });
});

test('X002-2.4 a run that a restart has cut goes on by itself, in the same stream', async () => {
  const served = await serveRuns({ turns: [hanging('I think'), saying('Here I am.')] });
  const stream = await served.post('first', 'hello');
  const { id } = await stream.until('init');
  await served.restart();
  const before = await stream.whole;
  const after = before.at(-1)?.id ?? id ?? '';
  const rest = await (await served.open(`${base('first')}/stream?after=${after}`)).whole;
  expect(dataOf(rest.at(-1))).toMatchObject({ status: 'success', result: 'Here I am.' });
  const seqs = [...before, ...rest].map((frame) => dataOf(frame)['seq']);
  expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
  expect(served.questions.map(({ thread }) => thread.map(({ content }) => content))).toEqual([
    ['hello'],
    ['hello'],
  ]);
});

test('a turn that the next server continues counts what it has used toward its budget', async () => {
  const served = await serveRuns({ turns: [spending, saying('Here I am.')] });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  await served.restart();
  await expect.poll(() => served.leads.length).toBe(2);
  const used = served.leads.map(({ past }) => past.filter(({ type }) => type === 'usage').length);
  expect(used).toEqual([0, 1]);
});

test('a turn whose server was killed before its first record is begun by the next one', async () => {
  const served = await serveRuns({ turns: [hanging('I think'), saying('Here I am.')] });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  await served.stop();
  const { place, run } = onlyRun(served);
  rmSync(journalFile(runFolderOf(place, run)));
  await served.restart();
  const frames = await (await served.open(`${base('first')}/stream`)).whole;
  expect(dataOf(frames.at(-1))).toMatchObject({ status: 'success', result: 'Here I am.' });
});

test('X002-14.3 a run goes on over two restarts; a third ends it as background_task_error', async () => {
  const served = await serveRuns({ turns: [hanging('I think')] });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  for (const restart of [1, 2]) {
    await served.restart();
    await expect.poll(() => served.questions.length).toBe(restart + 1);
  }
  await served.restart();
  const frames = await (await served.open(`${base('first')}/stream`)).whole;
  expect(served.questions.length).toBe(3);
  expect(dataOf(frames.at(-2))).toMatchObject({ error_type: 'background_task_error', recoverable: false });
  expect(dataOf(frames.at(-1))).toMatchObject({ status: 'error' });
  const next = await served.post('first', 'hello?');
  expect((await next.until('init')).event).toBe('init');
});

test('X002-24.1 the tokens of a request are in no file, no frame and nothing that a model reads', async () => {
  const secret = 'tok-5f1c9d2e8b7a';
  const echoes = defineTool({
    name: 'Echo',
    description: 'Says what it is given.',
    readOnly: true,
    args: z.strictObject({ text: z.string() }),
    run: async ({ text }) => ({ content: text, isError: false }),
  });
  const served = await serveRuns({ tools: [echoes], turns: [saying('Good.')] });
  const tokens = { github: secret };
  const streams = [
    await (await served.post('first', `use ${secret} for it`, { tokens })).whole,
    await (await served.post('first', `/Echo ${secret}`, { tokens })).whole,
    await (await served.post('first', `/nothing ${secret}`, { tokens })).whole,
  ];
  expect(
    JSON.stringify([streams, served.questions.map(({ thread }) => thread), served.faults]),
  ).not.toContain(secret);
  await served.stop();
  expect(filesHolding(served.home, secret)).toEqual([]);
  expect(JSON.stringify(streams)).toContain('[token github]');
});

test('a cancel during the preparation of a run ends it, and its conversation is free', async () => {
  const asked = new Deferred<void>();
  const startRun: RunPorts['startRun'] = ({ signal }) => {
    asked.resolve();
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const served = await serveRuns({ ports: { startRun } });
  await (
    await served.post('first', 'hello')
  ).whole;
  const stream = served.post('first', '/review');
  await asked.promise;
  const cancel = await served.open(`${base('first')}/cancel`, { method: 'POST' });
  expect(cancel.response.status).toBe(202);
  const frames = await (await stream).whole;
  expect(frames.map(({ event }) => event)).toEqual(['init', 'done']);
  expect(dataOf(frames[1])).toMatchObject({ status: 'cancelled', is_error: false });
  const next = await (await served.post('first', 'hello')).whole;
  expect(dataOf(next.at(-1))).toMatchObject({ status: 'success' });
  expect(served.faults).toEqual([]);
});

test('each drive of a run is news, and so is one whose machinery failed, which ends the run', async () => {
  const news: RunNews[] = [];
  const served = await serveRuns({
    turns: [hanging('I think'), saying('Hello.')],
    onNews: (one) => void news.push(one),
  });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  await served.stop();
  const { place, run } = onlyRun(served);
  writeFileSync(join(runFolderOf(place, run), 'input.json'), 'damaged');
  await served.restart();
  const frames = await (await served.open(`${base('first')}/stream`)).whole;
  expect(frames.map(({ event }) => event).slice(-2)).toEqual(['error', 'done']);
  const { run_id: runId } = run;
  const about = { runId, tenant: 'local' };
  expect(news).toEqual([
    { kind: 'driven', ...about },
    { kind: 'interrupted', ...about },
    { kind: 'driven', ...about },
    { kind: 'failed', ...about },
  ]);
  const next = await (await served.post('first', 'hello')).whole;
  expect(dataOf(next.at(-1))).toMatchObject({ status: 'success' });
  expect(news.slice(4).map(({ kind }) => kind)).toEqual(['driven', 'settled']);
});

test('a run whose server was killed before it had a folder ends with an error at the next one', async () => {
  const served = await serveRuns({ turns: [hanging('I think')] });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  await served.stop();
  const { place, run } = onlyRun(served);
  rmSync(runFolderOf(place, run), { recursive: true });
  await served.restart();
  const frames = await (await served.open(`${base('first')}/stream`)).whole;
  expect(dataOf(frames.at(-1))).toMatchObject({ status: 'error' });
});

test('a run whose records are damaged is reported by the next server, and not driven', async () => {
  const served = await serveRuns({ turns: [hanging('I think')] });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  await served.stop();
  const { place, run } = onlyRun(served);
  appendFileSync(journalFile(runFolderOf(place, run)), 'damaged\n{}\n');
  await served.restart();
  expect(served.faults).toMatchObject([{ code: 'journal_corrupt' }]);
  expect(served.leads).toHaveLength(1);
});

test('another server asks the one that holds a conversation: it waits for the end, and cancels the run that is meant', async () => {
  const served = await serveRuns({ turns: [hanging('I think')] });
  const stream = await served.post('first', 'hello');
  await stream.until('init');
  const { place, run } = onlyRun(served);
  const waiting = askOwner(place.folder, { type: 'wait' });
  const refused = [
    await askOwner(place.folder, { type: 'cancel', run_id: 'another' }),
    await askOwner(place.folder, { type: 'continue', run_id: 'another' }),
    await askOwner(place.folder, { type: 'status' }),
  ];
  expect(refused).toEqual([
    { ok: false, message: 'another_runs' },
    { ok: false, message: 'another_runs' },
    { ok: false, message: 'a conversation answers for no run' },
  ]);
  // A run that is driven has nothing to continue.
  const going = { ok: true, state: 'running' };
  expect(await askOwner(place.folder, { type: 'continue', run_id: run.run_id })).toEqual(going);
  expect(served.questions).toHaveLength(1);
  expect(await askOwner(place.folder, { type: 'cancel', run_id: run.run_id })).toEqual(going);
  expect(await waiting).toBeNull();
  expect(dataOf((await stream.whole).at(-1))).toMatchObject({ status: 'cancelled' });
});

test.each([
  ['/consult design', 'Usage: '],
  ['/review "main', 'main'],
])('a command that cannot be read is a refusal with its reason: %s', async (line, why) => {
  const served = await serveRuns();
  const [error] = await (await served.post('first', line)).whole;
  expect(dataOf(error)).toMatchObject({
    error_type: 'options_error',
    message: expect.stringContaining(why),
    recoverable: false,
  });
  expect(served.leads).toEqual([]);
});

function onlyRun({ conversations }: Served) {
  const place = conversations.place('local', 'first');
  const [run] = conversations.read(place)?.runs ?? [];
  if (run === undefined) throw new Error('nothing was begun');
  return { place, run };
}

function refusing(error: Error) {
  return async () => {
    throw error;
  };
}

/** Ignores everything, even the request to end. */
const deaf: Turn = async ({ emit }) => {
  emit({ type: 'turn.started' });
  return new Promise(() => {});
};

/** Emits nothing until it is aborted. */
const silent: Turn = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** Uses tokens, and then says nothing until it is aborted. */
const spending: Turn = async (question) => {
  question.emit({
    type: 'usage',
    model: 'model-1',
    input: 10,
    output: 5,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    cost: null,
    cost_basis: 'unknown',
  });
  return hanging('I think')(question);
};

/** Uses the given number of context tokens, or 950. */
const filling: Turn = async (question) => {
  const usage = {
    model: 'model-1',
    input: Number(question.thread.at(-1)?.content) || 950,
    output: 0,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    cost: null,
    cost_basis: 'unknown',
  } as const;
  await saying('Much.')({
    ...question,
    emit: (event) => question.emit(event.type === 'turn.ended' ? { ...event, usage } : event),
  });
  return { kind: 'answered' };
};

const overflowing: Turn = async ({ emit }) => {
  emit({ type: 'turn.started' });
  emit({ type: 'error', kind: 'context_limit', message: 'The prompt is too long', retryable: false });
  return { kind: 'failed', message: 'The prompt is too long', hint: null };
};

async function conversationOf(served: Served) {
  const answer = await (await fetch(served.url(base('first')))).json();
  return conversationDetailsSchema.pick({ can_continue: true, context: true }).parse(answer);
}
