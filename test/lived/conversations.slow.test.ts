/** A conversation with the installed server, as programs and people without a client see it: requests, refusals, events. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { Deferred } from '../../src/system/deferred.ts';
import { closeServer, listen } from '../../src/system/loopback.ts';
import { executor, formOf } from '../../src/server/served.test-helper.ts';
import { anthropic } from '../contract/providers/anthropic.ts';
import { streamOf } from '../packed/serve/served.ts';
import { livedWorld, named, textOf } from './lived-world.ts';

const execute = promisify(execFile);
const world = livedWorld(anthropic);
const request = { user_input: 'Hello?', executor };
const json = { 'content-type': 'application/json' };

test('R002-1 R002-2.1 R002-3 curl sends the form of the specification and reads its events, each a name, an id and the inner data', async () => {
  world().answer([{ text: 'こんにちは！' }]);
  const url = streamOf(world().served, 'curl');
  const form = `request_data=${JSON.stringify({ ...request, tokens: {}, preferred_skills: [] })}`;
  const { stdout } = await execute('curl', ['-sSN', '-D', '-', url, '-F', form]);
  const [head = '', ...frames] = stdout.split(/\r\n\r\n|\n\n/);
  expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(head).toMatch(/^content-type: text\/event-stream/im);
  expect(frames[0]).toBe('retry: 2000');
  expect(frames.at(-1)).toBe('');
  for (const [index, frame] of frames.slice(1, -1).entries()) {
    const [, id, data = ''] = /^event: \w+\nid: [\w-]+:(\d+)\ndata: (\{.*\})$/.exec(frame) ?? [];
    expect([frame, id]).toEqual([frame, String(index + 1)]);
    expect(JSON.parse(data)).toMatchObject({
      seq: index + 1,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
  }
});

test('R000-9 R000-14 a conversation at the command line shows the same answer with its model and its statistics', async () => {
  const { place, lead, env } = world();
  world().answer([{ text: 'こんにちは！お手伝いします。' }]);
  const { code, stdout } = await place.collab(['chat', ...lead], { input: 'Hello?\n', env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\n🚀 .+: model=claude-opus-5-5(?:, id=\S+)?\n/);
  expect(stdout).toContain('\nこんにちは！お手伝いします。\n');
  expect(stdout).toMatch(
    /\n📊 duration_ms=\d+, cost_usd=0\.\d{6}, input_tokens=120, output_tokens=34, next_session_tokens=\d+\n/,
  );
});

test('R002-25 R002-27.1 a turn that thinks, speaks and uses a tool is the drawn flow', async () => {
  world().place.write('a.txt', 'one\n');
  const input = { file_path: 'a.txt' };
  world().answer([
    { thinking: 'ユーザーの要求を分析しています...', text: '確認します。', tools: [{ name: 'Read', input }] },
    { text: '完了しました。' },
  ]);
  const events = await world().say('drawn');
  const names = events.map((event) =>
    event.event === 'progress' ? [event.data.type, event.data.tool_status].join(' ').trim() : event.event,
  );
  // An answer may arrive in more than one piece.
  expect(names.filter((name, index) => name !== names[index - 1])).toEqual(
    [
      'init',
      'thinking',
      'thinking',
      'generating',
      'assistant',
      'tool pending',
      'tool_call',
      'tool running',
      'tool completed',
      'tool_result',
      'assistant',
      'title',
      'context_status',
      'done',
    ].filter((name, index, all) => name !== all[index - 1]),
  );
});

test.each([
  [69, 'normal', true, undefined, null],
  [70, 'warning', true, '会話が長くなっています。新しいチャットを開始することをおすすめします。', 'new_chat'],
  [
    85,
    'critical',
    true,
    '次の返信でエラーが発生する可能性があります。新しいチャットを開始してください。',
    'new_chat',
  ],
  [95, 'blocked', false, 'コンテキストの上限に達しました。新しいチャットを開始してください。', 'new_chat'],
] as const)(
  'R002-29 R002-30 R002-33 a context that is full to %d %% is %s',
  async (percent, warning_level, can_continue, message, recommended_action) => {
    world().answer([{ text: 'Yes.', usage: await usageOf(percent) }]);
    const [status] = named(await world().say(`context-${percent}`), 'context_status').map(({ data }) => data);
    expect(status).toMatchObject({ warning_level, can_continue, recommended_action, usage_percent: percent });
    expect(status?.message).toBe(message);
    world().answer([{ text: 'Again.' }]);
    const again = await world().say(`context-${percent}`);
    expect(again.map(({ event }) => event).slice(-2)).toEqual(
      can_continue ? ['context_status', 'done'] : ['error', 'done'],
    );
    expect(world().requests()).toHaveLength(can_continue ? 1 : 0);
  },
);

test('R002-35 R002-36 R002-38 the usage of a turn with two requests is their sum, by model and in all, with its price', async () => {
  world().place.write('a.txt', 'one\n');
  const usage = {
    input_tokens: 1000,
    cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 50 },
    cache_creation_input_tokens: 350,
    cache_read_input_tokens: 20,
    output_tokens: 7,
  };
  const call = { name: 'Read', input: { file_path: 'a.txt' } };
  world().answer([
    { tools: [call], usage },
    { text: 'Done.', usage },
  ]);
  const [done] = named(await world().say('usage'), 'done').map(({ data }) => data);
  expect(done?.usage).toEqual({
    input_tokens: 2000,
    output_tokens: 14,
    cache_creation_5m_tokens: 600,
    cache_creation_1h_tokens: 100,
    cache_read_tokens: 40,
    total_tokens: 2014,
  });
  expect(Object.entries(done?.model_usage ?? {})).toEqual([
    [
      'claude-opus-5-5',
      {
        input_tokens: 2000,
        output_tokens: 14,
        cache_creation_5m_input_tokens: 600,
        cache_creation_1h_input_tokens: 100,
        cache_read_input_tokens: 40,
        cost_usd: done?.cost_usd,
      },
    ],
  ]);
  expect(done?.cost_usd).toMatch(/^0\.\d+$/);
  expect(done?.turn_count).toBe(2);
});

test('X002-9.1-3,8 a second message in a busy conversation is refused in its stream, and the first one is not disturbed', async () => {
  const held = new Deferred<void>();
  world().answer([{ text: 'The first answer.', midway: held.promise }]);
  const first = world().say('busy');
  await world().untilRequests(1);
  const second = await world().say('busy');
  expect(second).toMatchObject([
    { event: 'error', data: { seq: 1, error_type: 'conversation_locked', recoverable: true } },
    { event: 'done', data: { seq: 2, status: 'error' } },
  ]);
  held.resolve();
  expect(textOf(await first)).toBe('The first answer.');
});

test('R002-34 X002-11.1,4 a cancel without a body ends the run as cancelled with what was said, and a second one is too late', async () => {
  const held = new Deferred<void>();
  world().answer([{ text: 'The first answer.', midway: held.promise }]);
  const running = world().say('cancelled');
  await world().untilRequests(1);
  const url = streamOf(world().served, 'cancelled').replace(/stream$/, 'cancel');
  expect((await fetch(url, { method: 'POST' })).status).toBe(202);
  const [done] = named(await running, 'done').map(({ data }) => data);
  held.resolve();
  expect(done).toMatchObject({ status: 'cancelled', is_error: false, errors: null });
  // A client may name the type of a body that it leaves out.
  for (const headers of [{}, json]) expect((await fetch(url, { method: 'POST', headers })).status).toBe(409);
});

test('R002-6 X002-10.1,2 X002-12.2,4 a run goes on without its reader, who gets the rest by the id of its last event, and then 204', async () => {
  const held = new Deferred<void>();
  // A line is held back until it is whole: only then can its secrets be masked.
  const text = 'One line after the other.\n'.repeat(40);
  world().answer([{ text, midway: held.promise }]);
  const url = streamOf(world().served, 'left');
  const left = await fetch(url, { method: 'POST', body: formOf('Hello?') });
  let seen = '';
  for await (const chunk of left.body ?? []) {
    seen += Buffer.from(chunk).toString('utf8');
    if (/event: assistant\n(?:.+\n)+\n$/.test(seen)) break;
  }
  held.resolve();
  const last = [...seen.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
  const rest = await (await fetch(url, { headers: { 'last-event-id': last } })).text();
  const ids = [...`${seen}${rest}`.matchAll(/^id: [^:]+:(\d+)$/gm)].map(([, seq]) => Number(seq));
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(rest).toContain(`"result":${JSON.stringify(text)}`);
  const end = [...rest.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
  expect((await fetch(url, { headers: { 'last-event-id': end } })).status).toBe(204);
});

test.each([
  ['no JSON', 400, { body: '{', headers: json }],
  ['no content type', 415, { body: new Uint8Array([1]) }],
  ['a missing field', 422, { body: '{"user_input":"x"}', headers: json }],
  ['a user without a user_id', 422, { body: withExecutor({ user_id: undefined }), headers: json }],
  ['a user without a name', 422, { body: withExecutor({ name: undefined }), headers: json }],
  ['a user without an email', 422, { body: withExecutor({ email: undefined }), headers: json }],
  ['an email that is no text', 422, { body: withExecutor({ email: 7 }), headers: json }],
  ['skills that are no list', 422, { body: withSkills('greet'), headers: json }],
  ['a form without request_data', 422, { body: new FormData() }],
  ['a page from elsewhere', 403, { body: '{}', headers: { ...json, origin: 'http://evil.example' } }],
] as const)(
  'R002-10.2,4 X002-8.4 %s is refused with %d before a stream begins',
  async (_name, status, init) => {
    world().answer([{ text: 'unasked' }]);
    const response = await fetch(streamOf(world().served, 'refused'), { method: 'POST', ...init });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ status, detail: expect.stringMatching(/./) }),
    ]);
    expect(world().requests()).toEqual([]);
  },
);

function withExecutor(changes: object): string {
  return JSON.stringify({ ...request, executor: { ...executor, ...changes } });
}

function withSkills(preferred_skills: unknown): string {
  return JSON.stringify({ ...request, preferred_skills });
}

test('R002-10.4 a preferred skill reaches the model for this answer, and an unknown one is refused by name', async () => {
  world().place.write('skills/greet/SKILL.md', '---\nname: greet\ndescription: Greets.\n---\nBow first.\n');
  world().answer([{ text: 'Hello.' }]);
  const say = async (body: string) =>
    (await fetch(streamOf(world().served, 'skilled'), { method: 'POST', headers: json, body })).text();
  expect(await say(withSkills(['greet']))).toContain('"status":"success"');
  expect(world().requests()[0]).toContain('Bow first.');
  world().answer([{ text: 'Hello.' }]);
  expect(await say(withSkills([]))).toContain('"status":"success"');
  expect(world().requests()[0]).not.toContain('Bow first.');
  world().answer([{ text: 'unasked' }]);
  const refused = await say(withSkills(['bow']));
  expect(refused).toContain('There is no skill \\"bow\\" here');
  expect(refused).toContain('"error_type":"options_error"');
  expect(world().requests()).toEqual([]);
});

/** A program of a user, beside the installed package. */
const program = `
import { createConversation } from 'codex-collab/client';
const [baseUrl, conversationId] = process.argv.slice(2);
const conversation = createConversation({ baseUrl, tenantId: 'local', conversationId });
const called = [];
const note = (name) => (...values) => called.push([name, ...values]);
const executor = { user_id: 'u', name: 'User', email: 'user@example.com' };
await conversation.execute({ user_input: 'Hello?', executor }, { onTitle: note('title'), onError: note('error') });
const { currentText, status, error, isStreaming } = conversation.getState();
console.log(JSON.stringify({ currentText, status, error, isStreaming, called }));
`;

test('R002-44.7,9 R002-45.4,5 the installed library reads a run to its end, and an id that is none is an HTTP error', async () => {
  const { place, served } = world();
  world().answer([{ text: 'こんにちは！', pieceLength: 1 }]);
  const file = join(place.packageFolder, '../../program.mjs');
  writeFileSync(file, program);
  const run = async (conversation: string): Promise<unknown> =>
    JSON.parse((await execute(process.execPath, [file, served.url, conversation])).stdout);
  expect(await run('library')).toEqual({
    currentText: 'こんにちは！',
    status: 'success',
    error: null,
    isStreaming: false,
    called: [['title', 'Hello?']],
  });
  const wrong = 'HTTP error: 400';
  expect(await run('not an id')).toMatchObject({ error: wrong, called: [['error', wrong, false]] });
});

test('R002-45.5 behind a proxy that answers with a page of its own, the installed library gives the cause after one request', async () => {
  const asked: string[] = [];
  const proxy = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<title>Sign in</title>');
  });
  onTestFinished(() => closeServer(proxy));
  const address = `http://127.0.0.1:${await listen(proxy)}`;
  const file = join(world().place.packageFolder, '../../behind.mjs');
  writeFileSync(file, program);
  const { stdout } = await execute(process.execPath, [file, address, 'behind']);
  const cause = 'The answer is not an event stream but text/html; charset=utf-8: a proxy may have sent it';
  expect(JSON.parse(stdout)).toMatchObject({
    error: cause,
    isStreaming: false,
    called: [['error', cause, false]],
  });
  expect(asked).toEqual(['POST /api/tenants/local/conversations/behind/stream']);
});

/** Tokens that fill the context of the lead's model to so many percent, exactly. */
async function usageOf(percent: number) {
  world().answer([{ text: 'Yes.' }]);
  const [status] = named(await world().say('measured'), 'context_status').map(({ data }) => data);
  const tokens = ((status?.max_context_tokens ?? 0) * percent) / 100;
  return {
    input_tokens: tokens - 10,
    output_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  };
}
