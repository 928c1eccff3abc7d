/** The scripted Messages API, read by the SDK that talks to the real one. */
import Anthropic from '@anthropic-ai/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { startMessagesUpstream, type MessagesUpstream } from './messages-server.ts';
import { messagesInOrder, type MessagesScript, type MessagesStep } from './messages-steps.ts';

async function upstreamOf(script: MessagesScript): Promise<MessagesUpstream> {
  const upstream = await startMessagesUpstream(script);
  onTestFinished(() => upstream.close());
  return upstream;
}

function clientOf({ url }: MessagesUpstream): Anthropic {
  return new Anthropic({ baseURL: url, apiKey: 'sk-scripted', maxRetries: 0 });
}

const question = { model: 'any', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello?' }] };

test('a step is streamed as thinking, text and parallel calls, with its usage', async () => {
  const tools = [
    { name: 'Read', input: { file_path: 'a.ts' } },
    { name: 'Grep', input: { pattern: 'x' } },
  ];
  const upstream = await upstreamOf(
    messagesInOrder({ thinking: 'Hm.', text: 'I look.', tools, usage: { output_tokens: 7 } }),
  );
  const message = await clientOf(upstream).messages.stream(question).finalMessage();
  expect(message.content).toMatchObject([
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', name: 'Read', input: { file_path: 'a.ts' } },
    { type: 'tool_use', name: 'Grep', input: { pattern: 'x' } },
  ]);
  expect(message).toMatchObject({
    model: 'any',
    stop_reason: 'tool_use',
    usage: { input_tokens: 120, output_tokens: 7, cache_read_input_tokens: 2000 },
  });
  expect(upstream.requests).toMatchObject([{ index: 0, body: { max_tokens: 100 } }]);
  expect(upstream.requests[0]?.lastInput).toContain('Hello?');
});

test('a request without a stream gets the same message whole; steps follow in order and the last one repeats', async () => {
  const upstream = await upstreamOf(messagesInOrder({ text: 'one' }, { text: 'two' }));
  const { messages } = clientOf(upstream);
  const texts: string[] = [];
  for (let asked = 0; asked < 3; asked += 1) {
    const { content } = await messages.create(question);
    texts.push(content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
  }
  expect(texts).toEqual(['one', 'two', 'two']);
});

test.each<[string, MessagesStep, object]>([
  ['a status', { status: 429, headers: { 'retry-after': '7' } }, { status: 429, type: 'rate_limit_error' }],
  ['a status with a text', { status: 400, message: 'too long' }, { status: 400, apiMessage: 'too long' }],
  [
    'an error in the stream',
    { text: 'half', streamError: { type: 'overloaded_error', message: 'busy' } },
    { type: 'overloaded_error' },
  ],
  ['a cut', { text: 'half', cut: true }, { message: 'terminated' }],
])('the SDK hears %s as such', async (_, step, expected) => {
  const upstream = await upstreamOf(messagesInOrder(step));
  const failure: unknown = await clientOf(upstream)
    .messages.stream(question)
    .finalMessage()
    .catch((error: unknown) => error);
  expect(failure).toMatchObject(expected);
});

test.each<MessagesStep>([{ hang: 'headers' }, { text: 'half', hang: 'stream' }])(
  'a hanging answer stays open until its reader goes: %o',
  async (step) => {
    const upstream = await upstreamOf(messagesInOrder(step));
    const stop = new AbortController();
    const pending = clientOf(upstream).messages.stream(question, { signal: stop.signal }).finalMessage();
    const failure = pending.catch((error: unknown) => error);
    await upstream.untilRequests(1);
    expect(upstream.openTurns()).toBe(1);
    stop.abort();
    expect(await failure).toBeInstanceOf(Anthropic.APIUserAbortError);
    await expect.poll(() => upstream.openTurns()).toBe(0);
  },
);

test('an answer starts when its gate opens', async () => {
  let open: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const upstream = await upstreamOf(messagesInOrder({ text: 'now', gate }));
  const answer = clientOf(upstream).messages.create(question);
  await upstream.untilRequests(1);
  open?.();
  expect((await answer).content).toMatchObject([{ text: 'now' }]);
});

test('a request without a key is refused and not counted; other routes are recorded by name', async () => {
  const upstream = await upstreamOf(messagesInOrder({ text: 'x' }));
  const refused = await fetch(`${upstream.url}/v1/messages`, { method: 'POST', body: '{}' });
  const counted = await clientOf(upstream).messages.countTokens({ model: 'm', messages: question.messages });
  expect([refused.status, upstream.requests.length]).toEqual([401, 0]);
  expect(counted.input_tokens).toBeGreaterThan(0);
  expect(upstream.others).toEqual(['POST /v1/messages/count_tokens']);
});
