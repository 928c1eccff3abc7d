import { expect, expectTypeOf, test } from 'vitest';
import { AiClient, variableOf, type RequestOptions, type StreamOptions } from './ai-client.ts';
import type { AuthMode } from '../contract/contract.ts';
import { appendMessage } from '../history/history-edit.ts';
import { getConversationThread } from '../history/history.ts';
import { maskApiKey } from './ai-client.ts';
import { clientSaying, collect, request, saying, ScriptedClient } from '../scripted-client.test-helper.ts';

const call = {
  type: 'function_call_start',
  function_name: 'look',
  tool_name: 'look',
  args: { at: 1 },
  tool_call_id: 'c1',
};
const whole = [
  { type: 'thinking_chunk', text: 'Hm.' },
  { type: 'text_chunk', text: 'Hel' },
  { type: 'text_chunk', text: 'lo' },
  call,
  { type: 'complete', text: 'Hello', usage: { input_tokens: 3, output_tokens: 2 }, model: 'm' },
];

class AzureOpenAIClient extends AiClient {
  static override readonly authMode: AuthMode = 'api_key';
  static override getProviderName(): string {
    return 'azure_openai';
  }
  static override getProfileDir(): string {
    return '/nowhere/azure_openai/ai_profile';
  }
  sendRequestStream(_options: StreamOptions) {
    return saying({
      type: 'complete',
      text: [this.apiKey, this.apiBase, this.apiVersion, this.orgId].join(' '),
    });
  }
}

const key = 'sk-0123456789abc123';

test('R003-10.2 without its key a client cannot be made', () => {
  for (const env of [{}, { AZURE_OPENAI_API_KEY: ' ' }]) {
    expect(() => new AzureOpenAIClient({ env })).toThrow(
      expect.objectContaining({
        name: 'ValueError',
        code: 'auth',
        message: 'AZURE_OPENAI_API_KEY が設定されていません。環境変数を設定してください。',
      }),
    );
  }
});

test('R003-10.1 R003-44 key, address, version and organisation come from the environment', async () => {
  expect(variableOf('azure_openai', 'API_KEY')).toBe('AZURE_OPENAI_API_KEY');
  const env = {
    AZURE_OPENAI_API_KEY: key,
    AZURE_OPENAI_API_BASE: 'http://localhost:1',
    AZURE_OPENAI_API_VERSION: 'v2',
    AZURE_OPENAI_ORG_ID: 'org',
  };
  const client = new AzureOpenAIClient({ env });
  const text = client.extractResponseText(await client.sendRequest(request));
  expect(text).toBe(`${key} http://localhost:1 v2 org`);
});

class CliClient extends ScriptedClient {
  static override readonly authMode: AuthMode = 'cli_login';
  static override readonly program: string = 'sh';
}

class AbsentCliClient extends CliClient {
  static override readonly program = 'nowhere-to-be-found';
}

test('X003-16 a program with a login of its own needs no key, but must be there', () => {
  expect(() => new CliClient(() => saying(), { PATH: '/nowhere:/bin:/usr/bin' })).not.toThrow();
  expect(() => new AbsentCliClient(() => saying(), { PATH: '/bin' })).toThrow(
    expect.objectContaining({ name: 'ValueError', code: 'cli_missing' }),
  );
});

test('R003-18.2 X003-18 a key is shown masked', () => {
  const client = new AzureOpenAIClient({ env: { AZURE_OPENAI_API_KEY: key } });
  expect(client.getMaskedApiKey()).toBe('sk-...abc123');
  expect(['', 'short', '12345678901'].map(maskApiKey)).toEqual(['***', '***', '***']);
});

test('R003-14.1 a stream is requested as an answer is, with a signal', () => {
  expectTypeOf<Pick<StreamOptions, keyof RequestOptions>>().toEqualTypeOf<
    Pick<RequestOptions, keyof RequestOptions>
  >();
  expectTypeOf<Omit<StreamOptions, keyof RequestOptions>>().toEqualTypeOf<{
    readonly abortSignal?: AbortSignal;
  }>();
  expectTypeOf<Parameters<AiClient['sendRequestStream']>[0]>().toEqualTypeOf<StreamOptions>();
  expectTypeOf<Parameters<AiClient['sendRequest']>[0]>().toExtend<RequestOptions>();
});

test('R003-11.2 R003-15 a request is its stream folded, and its text can be taken out', async () => {
  const client = clientSaying(...whole);
  const response = await client.sendRequest(request);
  expect(response).toEqual({
    text: 'Hello',
    thinking: 'Hm.',
    tool_calls: [{ tool_call_id: 'c1', function_name: 'look', arguments: { at: 1 } }],
    usage: { input_tokens: 3, output_tokens: 2 },
    model: 'm',
    stop_reason: null,
    opaque: [],
  });
  expect(client.extractResponseText(response)).toBe('Hello');
  const spaced = clientSaying({ type: 'complete', text: '\n  as it came \n' });
  expect(spaced.extractResponseText(await spaced.sendRequest(request))).toBe('\n  as it came \n');
  expect(() => client.extractResponseText('Hello')).toThrow('not an answer of scripted');
});

test.each([
  [
    { error: 'no', code: 'auth' },
    { name: 'ValueError', code: 'auth' },
  ],
  [
    { error: 'slow', status: 429, retry_after: 4 },
    { name: 'APIError', code: 'rate_limit', status: 429, retryAfter: 4, retryable: true },
  ],
  [{ error: 'odd' }, { name: 'APIError', code: 'internal', retryable: false }],
])('R003-11.3,4 R003-46 a failed call is thrown by name: %j', async (failure, thrown) => {
  await expect(clientSaying({ type: 'error', ...failure }).sendRequest(request)).rejects.toMatchObject(
    thrown,
  );
});

test('R003-18.1 abortStreaming ends what listens to the signal', async () => {
  const client = new ScriptedClient(async function* script(_, signal) {
    yield { type: 'text_chunk', text: 'a', is_follow_up: false };
    if (!signal.aborted) throw new Error('not aborted');
    yield { type: 'aborted', text: 'a', reason: 'user_abort' };
  });
  const events = client.sendRequestStream(request)[Symbol.asyncIterator]();
  await events.next();
  client.abortStreaming();
  expect((await events.next()).value).toMatchObject({ type: 'aborted' });
});

test('R003-18.3 R003-20.4 what came of calls is sent after them', async () => {
  const client = clientSaying({ type: 'complete', text: 'done' });
  const asked = [
    { role: 'user' as const, content: 'look' },
    {
      role: 'assistant' as const,
      content: '',
      tool_calls: [{ tool_call_id: 'c1', function_name: 'look', arguments: {} }],
    },
  ].reduce(
    (history, message, index) =>
      appendMessage(history, message, { id: `m${index}`, now: '2026-01-01T00:00:00.000Z' }),
    request.history,
  );
  const response = await client.sendFunctionResponse({
    modelId: 'model-1',
    history: asked,
    functionResponseParts: [{ tool_call_id: 'c1', content: 'seen' }],
  });
  expect(client.extractResponseText(response)).toBe('done');
  const [sent] = client.requests;
  expect(sent).toMatchObject({ currentTextInput: '' });
  expect(getConversationThread(sent?.history ?? request.history).at(-1)).toMatchObject({
    role: 'tool',
    tool_call_id: 'c1',
    content: 'seen',
  });
});

test('004: the same client answers an agent in segments', async () => {
  const client = new ScriptedClient(() => saying(...whole));
  client.defaultModel = () => 'model-1';
  const response = await client.generate('look', {
    tools: new Map(),
    memory: [
      { role: 'user', text: 'hello' },
      {
        role: 'assistant',
        segments: [{ type: 'tool_call', toolCall: { id: 'c0', name: 'look', args: {} } }],
      },
      { role: 'tool', id: 'c0', content: 'seen', isError: false },
    ],
  });
  expect(response.segments).toEqual([
    { type: 'text', text: 'Hello' },
    { type: 'tool_call', toolCall: { id: 'c1', name: 'look', args: { at: 1 } } },
  ]);
  const [sent] = client.requests;
  expect(sent).toMatchObject({ modelId: 'model-1', currentTextInput: 'look' });
  expect(getConversationThread(sent?.history ?? request.history).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
  ]);
});

test('a client’s stream is delivered as it arrives', async () => {
  expect(await collect(clientSaying(...whole).sendRequestStream(request))).toHaveLength(whole.length);
});
