/** Every way in which the real SDK fails, against the scripted server on loopback. */
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { messagesInOrder, type MessagesStep } from '../../../test/upstream/messages-steps.ts';
import { startMessagesUpstream } from '../../../test/upstream/messages-server.ts';
import type { ModelSign } from '../model.ts';
import { anthropicProvider } from './anthropic_client.ts';

test.each<readonly [string, MessagesStep, object]>([
  ['400', { status: 400, message: 'bad field' }, { kind: 'unavailable', code: 'options' }],
  [
    '400, credit',
    { status: 400, message: 'Your credit balance is too low' },
    { kind: 'unavailable', code: 'quota' },
  ],
  [
    '400, context',
    { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    { kind: 'timed_out', limit: 'context' },
  ],
  ['401', { status: 401 }, { kind: 'unavailable', code: 'auth' }],
  ['402', { status: 402 }, { kind: 'unavailable', code: 'quota' }],
  ['403', { status: 403 }, { kind: 'unavailable', code: 'auth' }],
  ['404', { status: 404 }, { kind: 'unavailable', code: 'model' }],
  ['413', { status: 413 }, { kind: 'timed_out', limit: 'context' }],
  ['422', { status: 422 }, { kind: 'unavailable', code: 'options' }],
  ['408', { status: 408 }, { kind: 'overloaded', retryAfterMs: null }],
  [
    '429, seconds',
    { status: 429, headers: { 'retry-after': '90' } },
    { kind: 'overloaded', retryAfterMs: 90_000 },
  ],
  [
    '429, milliseconds',
    { status: 429, headers: { 'retry-after-ms': '1500', 'retry-after': '2' } },
    { kind: 'overloaded', retryAfterMs: 1500 },
  ],
  [
    '429, a date that is over',
    { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } },
    { kind: 'overloaded', retryAfterMs: 0 },
  ],
  ['429, nothing', { status: 429 }, { kind: 'overloaded', retryAfterMs: null }],
  ['500', { status: 500 }, { kind: 'overloaded', retryAfterMs: null }],
  ['503', { status: 503 }, { kind: 'overloaded', retryAfterMs: null }],
  ['504', { status: 504 }, { kind: 'overloaded', retryAfterMs: null }],
  ['529', { status: 529, headers: { 'retry-after': '3' } }, { kind: 'overloaded', retryAfterMs: 3000 }],
  ['a body that is no JSON', { status: 502, body: '<html>' }, { kind: 'overloaded' }],
  ['cut in mid-stream', { text: 'a long answer', cut: true }, { kind: 'cut' }],
  ['a stream that ends early', { text: 'a long answer', endEarly: true }, { kind: 'cut' }],
  [
    'an overloaded stream',
    { text: 'a long answer', streamError: { type: 'overloaded_error', message: 'Overloaded' } },
    { kind: 'overloaded', message: 'Overloaded', retryAfterMs: null },
  ],
  [
    'a refused stream',
    { text: 'a long answer', streamError: { type: 'permission_error', message: 'no' } },
    { kind: 'unavailable', code: 'auth' },
  ],
  [
    'an unknown error in the stream',
    { text: 'a long answer', streamError: { type: 'novel_error', message: 'what?' } },
    { kind: 'cut', message: 'the answer broke off: what?' },
  ],
  ['a refusal', { text: '', stopReason: 'refusal' }, { kind: 'empty' }],
  [
    'a full context',
    { text: 'half', stopReason: 'model_context_window_exceeded' },
    { kind: 'timed_out', limit: 'context' },
  ],
])('%s is told as one of the ends of a turn', async (_name, step, end) => {
  const { reply, requests } = await ask(step);
  expect(reply.end).toMatchObject(end);
  expect(requests()).toBe(1);
});

test('each refusal says what to do', async () => {
  const { reply } = await ask({ status: 401, message: 'invalid x-api-key' });
  expect(reply.end).toEqual({
    kind: 'unavailable',
    code: 'auth',
    message: 'Anthropic: invalid x-api-key',
    hint: 'Set ANTHROPIC_API_KEY to a key that is valid for this API.',
  });
});

test('a connection that is refused is overloaded', async () => {
  const model = await open(`http://127.0.0.1:${await freePort()}`);
  const reply = await model.turn(turnOf([], new AbortController().signal));
  expect(reply).toMatchObject({ end: { kind: 'overloaded', retryAfterMs: null }, usage: null });
});

test('what a cut turn has cost is known as far as it was said', async () => {
  const { reply } = await ask({ text: 'a long answer', cut: true });
  expect(reply.usage).toMatchObject({
    input: 120,
    cache_read: 2000,
    cache_write_5m: 1000,
    cost: expect.any(Number),
  });
});

test('an answer cut by its limit of tokens is an answer with that reason', async () => {
  const { reply } = await ask({ text: 'half of it', stopReason: 'max_tokens' });
  expect(reply.end).toEqual({
    kind: 'said',
    parts: [{ type: 'text', text: 'half of it' }],
    stopReason: 'max_tokens',
  });
});

test.each<readonly [string, MessagesStep]>([
  ['before the headers', { hang: 'headers' }],
  ['in the middle of a text', { text: 'a long answer', hang: 'stream' }],
])('an abort %s closes the connection and rejects with its reason', async (_name, step) => {
  const upstream = await startMessagesUpstream(messagesInOrder(step));
  onTestFinished(() => upstream.close());
  const model = await open(upstream.url);
  const controller = new AbortController();
  const heard: ModelSign[] = [];
  const turn = model.turn(turnOf(heard, controller.signal));
  await upstream.untilRequests(1);
  await expect.poll(() => heard.some(({ kind }) => kind === 'text')).toBe('text' in step);
  expect(upstream.openTurns()).toBe(1);
  controller.abort(new Error('enough'));
  await expect(turn).rejects.toThrow('enough');
  await expect.poll(() => upstream.openTurns()).toBe(0);
});

test('what throws while it listens is thrown as it is, not taken for a fault of the API', async () => {
  const upstream = await startMessagesUpstream(messagesInOrder({ text: 'hello' }));
  onTestFinished(() => upstream.close());
  const model = await open(upstream.url);
  const turn = model.turn({
    ...turnOf([], new AbortController().signal),
    say(sign) {
      if (sign.kind === 'text') throw new Error('the journal is closed');
    },
  });
  await expect(turn).rejects.toThrow('the journal is closed');
});

async function ask(step: MessagesStep) {
  const upstream = await startMessagesUpstream(messagesInOrder(step));
  onTestFinished(() => upstream.close());
  const model = await open(upstream.url);
  const reply = await model.turn(turnOf([], new AbortController().signal));
  return { reply, requests: () => upstream.requests.length };
}

function open(url: string) {
  return anthropicProvider.openModel({
    env: { ANTHROPIC_API_KEY: 'key-for-tests' },
    cwd: '/nowhere',
    settings: { 'anthropic.base_url': url },
    signal: new AbortController().signal,
    model: null,
  });
}

function turnOf(heard: ModelSign[], signal: AbortSignal) {
  return {
    system: '',
    messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'go' }] }],
    tools: [],
    toolChoice: 'auto' as const,
    signal,
    say: (sign: ModelSign) => void heard.push(sign),
  };
}

/** A port on which nobody listens any more. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address === null || typeof address === 'string' ? 0 : address.port;
      server.close((error) => (error === undefined ? resolve(port) : reject(error)));
    });
  });
}
