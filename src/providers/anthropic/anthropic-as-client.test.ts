/** `AnthropicClient`: the real SDK below specification 003's contract. */

import { basename, isAbsolute } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMessagesUpstream } from '../../../test/upstream/messages-server.ts';
import { messagesInOrder, type MessagesStep } from '../../../test/upstream/messages-steps.ts';
import type { StreamOptions } from '../client/ai-client.ts';
import { appendMessage } from '../history/history-edit.ts';
import { collect, request as anyRequest } from '../scripted-client.test-helper.ts';
import { AnthropicClient } from './anthropic_client.ts';

const request: StreamOptions = { ...anyRequest, modelId: 'claude-opus-5-5' };

async function upstreamOf(...steps: readonly MessagesStep[]) {
  const upstream = await startMessagesUpstream(messagesInOrder(...steps));
  onTestFinished(() => upstream.close());
  const env = { ANTHROPIC_API_KEY: 'key-for-tests', ANTHROPIC_API_BASE: upstream.url };
  return { upstream, client: new AnthropicClient({ env }) };
}

test('R003-8 R003-9 its statics are its folder and the profiles in it', () => {
  expect(AnthropicClient.getProviderName()).toBe('anthropic');
  const folder = AnthropicClient.getProfileDir();
  expect([isAbsolute(folder), basename(folder)]).toEqual([true, 'ai_profile']);
});

test('R003-10.2 R003-44.1 without its key it cannot be made', () => {
  expect(() => new AnthropicClient({ env: {} })).toThrow('ANTHROPIC_API_KEY が設定されていません。');
});

test('R003-14.2 R003-30.1 R003-31 thinking, text and calls come as events', async () => {
  const tools = [{ name: 'Read', input: { file_path: 'a.ts' } }];
  const { client, upstream } = await upstreamOf({ thinking: 'Hm.', text: 'I look.', tools });
  const history = appendMessage(
    request.history,
    { role: 'user', content: 'before' },
    { id: 'm1', now: '2026-01-01T00:00:00.000Z' },
  );
  const events = await collect(client.sendRequestStream({ ...request, history, systemPrompt: 'Be brief.' }));
  expect(events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual([
    'thinking_chunk',
    'text_chunk',
    'function_call_start',
    'complete',
  ]);
  expect(events.at(-1)).toMatchObject({
    text: 'I look.',
    usage: { input_tokens: 120, cache_read_tokens: 2000 },
  });
  expect(events.at(-1)).toHaveProperty('opaque');
  expect(upstream.requests[0]?.body).toMatchObject({
    system: [{ text: 'Be brief.' }],
    messages: [{ role: 'user', content: [{ text: 'before' }, { text: 'hello' }] }],
  });
  expect(upstream.requests[0]?.body).not.toHaveProperty('temperature');
});

test.each([
  [{ status: 401 }, { code: 'auth', error: 'APIキーが無効です。環境変数を確認してください。' }],
  [
    { status: 429, headers: { 'retry-after': '7' } },
    { code: 'rate_limit', error: 'レート制限に達しました。7秒後に再試行してください。', retry_after: 7 },
  ],
  [
    { status: 503 },
    { code: 'overloaded', retryable: true, error: expect.stringMatching(/^API呼び出しエラー: /) },
  ],
])('R003-45.1-3 R003-46 an error has the words of the specification: %j', async (step, last) => {
  const { client } = await upstreamOf(step);
  expect(await collect(client.sendRequestStream(request))).toMatchObject([{ type: 'error', ...last }]);
});

test('X003-11.2 a parameter that the model does not take is refused before anything is sent', async () => {
  const { client, upstream } = await upstreamOf({ text: 'never' });
  await expect(collect(client.sendRequestStream({ ...request, temperature: 1 }))).rejects.toThrow(
    'does not support temperature',
  );
  expect(upstream.requests).toEqual([]);
});

test('X003-7.1 an aborted signal sends nothing', async () => {
  const { client, upstream } = await upstreamOf({ text: 'never' });
  const events = await collect(client.sendRequestStream({ ...request, abortSignal: AbortSignal.abort() }));
  expect(events).toEqual([{ type: 'aborted', text: '', reason: 'user_abort' }]);
  expect(upstream.requests).toEqual([]);
});
