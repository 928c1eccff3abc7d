/** The events of a turn of the installed server, field by field: numbers, context, results, prices, secrets, headers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFrameReader } from '../../src/client/read-frames.ts';
import { streamedEvent } from '../../src/client/streamed-event.test-helper.ts';
import { executor, formOf } from '../../src/server/served.test-helper.ts';
import { anthropic } from '../contract/providers/anthropic.ts';
import { serve, streamOf } from '../packed/serve/served.ts';
import { livedWorld, named } from './lived-world.ts';

const world = livedWorld(anthropic);
const family = '👨‍👩‍👧';

/** A call with this many tokens in its context, over three kinds of input and the output. */
const using = (tokens: number) => ({
  input_tokens: tokens - 60,
  output_tokens: 10,
  cache_read_input_tokens: 20,
  cache_creation_input_tokens: 30,
  cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
});

test('R002-8 X002-2.1-4 X002-21.1 a stream ends with done, and each run counts its own events from 1', async () => {
  world().answer([{ thinking: 'Hm.', text: 'One.' }]);
  for (const text of ['first', 'second']) {
    // Resolves when the server has ended the response.
    const frames = await world().frames('numbers', text);
    expect(frames.at(-1)?.event).toBe('done');
    expect(JSON.parse(frames[0]?.data ?? '')).toMatchObject({ model: 'Claude Opus 5.5' });
    const ids = frames.flatMap(({ id }) => (id === null ? [] : [id]));
    const [run = ''] = ids[0]?.split(':') ?? [];
    expect(ids).toEqual(ids.map((_id, index) => `${run}:${index + 1}`));
    expect(frames.map(({ data }): unknown => JSON.parse(data).seq)).toEqual(
      frames.map((_frame, index) => index + 1),
    );
  }
});

test.each([
  [699_999, 69.9, 'normal'],
  [700_000, 70, 'warning'],
  [849_999, 84.9, 'warning'],
  [850_000, 85, 'critical'],
  [949_999, 94.9, 'critical'],
  [950_000, 95, 'blocked'],
  [1_000_100, 100, 'blocked'],
])(
  'R002-21 X002-3 X002-4.1,2 %d tokens of a million are %d %%, %s, directly before done',
  async (tokens, usage_percent, warning_level) => {
    world().answer([{ text: 'Yes.', usage: using(tokens) }]);
    const events = await world().say(`tokens-${tokens}`);
    expect(events.at(-2)).toMatchObject({
      event: 'context_status',
      data: {
        current_context_tokens: tokens,
        max_context_tokens: 1_000_000,
        usage_percent,
        warning_level,
        can_continue: warning_level !== 'blocked',
      },
    });
  },
);

test('X002-6.2 X002-16.1,2 a title comes once, in one line, before the context', async () => {
  world().answer([{ text: 'One.' }]);
  const long = `${'many words '.repeat(40)}\nand more`;
  const [first, second] = [await world().say('titled', long), await world().say('titled', long)];
  expect(first.slice(-3).map(({ event }) => event)).toEqual(['title', 'context_status', 'done']);
  expect(named(first, 'title')[0]?.data.title).toMatch(/^many words [^\n]{1,120}$/);
  expect(named(second, 'title')).toEqual([]);
});

test('X002-5.1-4 each level has its sentence in English too, and normal has none', async () => {
  const { place, lead, env } = world();
  const served = await serve(place, [...lead, '--language', 'en'], env);
  const messages: (string | null | undefined)[] = [];
  for (const tokens of [100_000, 700_000, 850_000, 950_000]) {
    world().answer([{ text: 'Yes.', usage: using(tokens) }]);
    const url = streamOf(served, `english-${tokens}`);
    const response = await fetch(url, { method: 'POST', body: formOf('Go.') });
    const frames = createFrameReader().feed(new Uint8Array(await response.arrayBuffer()));
    const [status] = named(frames.map(streamedEvent), 'context_status').map(({ data }) => data);
    expect(world().requests()[0]).toContain('Write in the language en.');
    messages.push(status?.message);
  }
  expect(messages[0]).toBeUndefined();
  for (const message of messages.slice(1)) expect(message).toMatch(/^[\x20-\x7e]+new chat[\x20-\x7e]*$/i);
  expect(new Set(messages).size).toBe(4);
});

test('X002-17.1-3 the result of a tool is a preview that splits no character, and an error says so twice', async () => {
  world().place.write('long.txt', `${'x'.repeat(1980)}${family.repeat(20)}`);
  const calls = ['long.txt', 'nowhere.txt'].map((file_path) => ({ name: 'Read', input: { file_path } }));
  world().answer([{ tools: calls }, { text: 'Seen.' }]);
  const results = named(await world().say('preview'), 'tool_result').map(({ data }) => data);
  // Both are read at the same time.
  const [read, missing] = ['completed', 'error'].map((is) => results.find(({ status }) => status === is));
  expect([results.length, read?.is_error, missing?.is_error]).toEqual([2, false, true]);
  const content = read?.content ?? '';
  expect(content).toMatch(/x…$|👨‍👩‍👧…$/u);
  expect(content.length).toBeLessThanOrEqual(2000);
  expect(content.length).toBeGreaterThan(1980);
});

test('X002-19.1-3 thinking and generating are announced when they begin, and a tool between them changes nothing', async () => {
  world().place.write('a.txt', 'one\n');
  const tools = [{ name: 'Read', input: { file_path: 'a.txt' } }];
  world().answer([
    { thinking: 'Hm.', text: 'I look.', tools },
    { text: 'And again.', tools },
    { thinking: 'So.', text: 'Done.' },
  ]);
  const progress = named(await world().say('announced'), 'progress').map(({ data }) => data.type);
  expect(progress.filter((type) => type !== 'tool')).toEqual([
    'thinking',
    'generating',
    'thinking',
    'generating',
  ]);
});

test('R002-38 X002-23.1,2 X003-12.1 the cost is exact to the last digit, without an exponent or trailing zeros', async () => {
  world().answer([{ text: 'Yes.', usage: using(100) }]);
  const [done] = named(await world().say('cost'), 'done').map(({ data }) => data);
  // 40 × 4 + 10 × 20 + 20 × 0.2 + 20 × 5 + 10 × 8 dollars for a million.
  expect([done?.cost_usd, done?.model_usage?.['claude-opus-5-5']?.cost_usd]).toEqual([
    '0.000544',
    '0.000544',
  ]);
});

test('X002-24.1 a secret for tools is shown to no one and written to no file', async () => {
  const secret = 'an-unguessable-5EcrEt-value-0123456789';
  world().place.write('noted.txt', `it is ${secret}\n`);
  world().answer([{ tools: [{ name: 'Read', input: { file_path: 'noted.txt' } }] }, { text: 'Seen.' }]);
  const body = JSON.stringify({ user_input: 'Look.', executor, tokens: { NOTED: secret } });
  const headers = { 'content-type': 'application/json' };
  const url = streamOf(world().served, 'secret');
  const stream = await (await fetch(url, { method: 'POST', body, headers })).text();
  expect(stream).toContain('"status":"success"');
  const home = join(world().place.folder, '.collab');
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const shown = [stream, world().served.stderr(), ...files, ...world().requests()];
  expect(shown.filter((text) => text.includes(secret))).toEqual([]);
});

test('X002-26.1-3 an id that could be a path is refused, and another tenant has nothing here', async () => {
  const open = async (tenant: string, conversation: string) =>
    (await fetch(`${world().served.url}/api/tenants/${tenant}/conversations/${conversation}/stream`)).status;
  world().answer([{ text: 'Yes.' }]);
  await world().say('mine');
  expect(await open('local', 'mine')).toBe(200);
  expect(await open('other', 'mine')).toBe(404);
  for (const id of ['%2e%2e%2fmine', 'a%2fb', 'x'.repeat(129), 'a%00'])
    expect([id, await open('local', id)]).toEqual([id, 400]);
});

test('X002-28.1-3 a stream is neither stored nor packed on its way', async () => {
  world().answer([{ text: 'Yes.' }]);
  const response = await fetch(streamOf(world().served, 'headers'), {
    method: 'POST',
    body: formOf('Go.'),
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': expect.stringMatching(/^text\/event-stream/),
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(response.headers.has('content-encoding')).toBe(false);
  await response.text();
});

test('R002-39 X002-14.1 each failure of a vendor has its type, and only one that passes can be tried again', async () => {
  const types: unknown[] = [];
  for (const status of [401, 404, 413, 400]) {
    world().answer([{ status, message: 'no such model' }]);
    const [error] = named(await world().say(`status-${status}`), 'error').map(({ data }) => data);
    types.push([error?.error_type, error?.recoverable]);
  }
  world().answer([{ text: 'half of it', cut: true }]);
  const [cut] = named(await world().say('cut'), 'error').map(({ data }) => data);
  expect([...types, [cut?.error_type, cut?.recoverable]]).toEqual([
    ['options_error', false],
    ['model_validation_error', false],
    ['context_limit_exceeded', false],
    ['options_error', false],
    ['execution_error', false],
  ]);
});

test('XB-6.2 a stream that is read again has the bytes of the first time', async () => {
  world().answer([{ thinking: 'Hm.', text: 'One.', pieceLength: 1 }]);
  const url = streamOf(world().served, 'again');
  const live = await (await fetch(url, { method: 'POST', body: formOf('Go.') })).text();
  const [, run = ''] = /^id: ([^:\n]+):1$/m.exec(live) ?? [];
  expect(await (await fetch(`${url}?after=${run}:0`)).text()).toBe(live);
});
