import { expect, onTestFinished, test, vi } from 'vitest';
import { messagesInOrder, type MessagesStep } from '../../../test/upstream/messages-steps.ts';
import { turnOf } from '../../../test/contract/providers/fixture.ts';
import { startMessagesUpstream } from '../../../test/upstream/messages-server.ts';
import type { ModelMessage, ModelSign, ModelTurn } from '../contract/model.ts';
import { anthropicProvider, defaultModel } from './anthropic_client.ts';

const tool = { name: 'Read', description: 'Reads.', parameters: { type: 'object', properties: {} } };

const environment = {
  env: { ANTHROPIC_API_KEY: 'key-for-tests' },
  cwd: '/nowhere',
  settings: {},
  signal: new AbortController().signal,
  model: null,
};

test('it cannot work without a key, whatever else is in the environment', async () => {
  const env = { ANTHROPIC_AUTH_TOKEN: 'token', ANTHROPIC_PROFILE: 'work', ANTHROPIC_API_KEY: ' ' };
  const refusal = { code: 'auth', message: 'ANTHROPIC_API_KEY is not set' };
  expect(await anthropicProvider.probe({ ...environment, env })).toMatchObject({ ready: false, ...refusal });
  await expect(anthropicProvider.openModel({ ...environment, env })).rejects.toMatchObject({
    ...refusal,
    hint: expect.stringContaining('Set ANTHROPIC_API_KEY'),
  });
});

test('the model is the requested one, else the configured one, else the newest Opus', async () => {
  const settings = { 'anthropic.model': 'claude-sonnet-5-5' };
  const identityOf = async (own: object) =>
    (await anthropicProvider.openModel({ ...environment, ...own })).identity;
  expect(await identityOf({})).toMatchObject({
    displayName: 'Claude',
    model: defaultModel,
    login: 'API key',
    destination: 'api.anthropic.com',
  });
  expect(await identityOf({ settings })).toMatchObject({ model: 'claude-sonnet-5-5' });
  expect(await identityOf({ settings, model: 'claude-haiku-5-5' })).toMatchObject({
    model: 'claude-haiku-5-5',
  });
  expect(await anthropicProvider.probe({ ...environment, settings })).toEqual({
    ready: true,
    version: null,
    login: 'API key',
    model: 'claude-sonnet-5-5',
  });
});

test.each(['nowhere', 'file:///etc/passwd', ''])('the address %j is refused', async (url) => {
  const settings = { 'anthropic.base_url': url };
  await expect(anthropicProvider.openModel({ ...environment, settings })).rejects.toMatchObject({
    code: 'options',
    message: `providers.anthropic.base_url is not an address: ${url}`,
  });
});

test('R003-43.1 says a text as it comes, and its usage with the price that its profile has', async () => {
  const { reply, heard } = await ask({
    thinking: 'Let me see.',
    text: 'A whole answer.',
    usage: { output_tokens_details: { thinking_tokens: 7 } },
  });
  expect(reply).toEqual({
    end: {
      kind: 'said',
      parts: [
        {
          type: 'opaque',
          value: { type: 'thinking', thinking: 'Let me see.', signature: expect.any(String) },
        },
        { type: 'text', text: 'A whole answer.' },
      ],
      stopReason: 'end_turn',
    },
    usage: {
      model: defaultModel,
      input: 120,
      output: 34,
      cache_read: 2000,
      cache_write_5m: 1000,
      cache_write_1h: 0,
      reasoning: 7,
      cost: 0.00656,
      cost_basis: 'profile',
    },
  });
  const joined = (kind: 'text' | 'thinking') =>
    heard.map((sign) => (sign.kind === kind ? sign.text : '')).join('');
  expect([joined('thinking'), joined('text')]).toEqual(['Let me see.', 'A whole answer.']);
  expect(heard.filter(({ kind }) => kind === 'begun' || kind.endsWith('_end'))).toEqual([
    { kind: 'begun' },
    { kind: 'thinking_end', block: 0, redacted: false },
    { kind: 'text_end', block: 1 },
  ]);
});

test('R004-8.3 gives several calls of one response in their order', async () => {
  const { reply } = await ask({
    text: 'I look.',
    tools: [
      { name: 'Read', input: { file_path: 'a' }, id: 'toolu_a' },
      { name: 'Grep', input: {}, id: 'toolu_b' },
    ],
  });
  expect(reply.end).toEqual({
    kind: 'said',
    parts: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'toolu_a', name: 'Read', args: { file_path: 'a' } },
      { type: 'tool_call', id: 'toolu_b', name: 'Grep', args: {} },
    ],
    stopReason: 'tool_use',
  });
});

test('R004-2.3 X004-2.1 dotted names go to the API as it allows them and come back as they are registered', async () => {
  const messages: ModelMessage[] = [
    { role: 'user', parts: [{ type: 'text', text: 'go' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'toolu_a', name: 'fs.read', args: {} }] },
    { role: 'user', parts: [{ type: 'tool_result', id: 'toolu_a', content: 'one', is_error: false }] },
  ];
  const { body, reply } = await ask(
    { tools: [{ name: 'fs--read', input: { path: 'b' }, id: 'toolu_b' }] },
    { messages, tools: [{ ...tool, name: 'fs.read' }] },
  );
  expect(body).toMatchObject({ tools: [{ name: 'fs--read' }] });
  expect(JSON.stringify(body)).not.toContain('fs.read');
  expect(reply.end).toMatchObject({ parts: [{ name: 'fs.read', args: { path: 'b' } }] });
});

test('R004-8.2 R004-9.1 X004-10.3 sends history and tools in the form of the API, with marks for its cache', async () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln' };
  const messages: ModelMessage[] = [
    { role: 'user', parts: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'opaque', value: thinking },
        { type: 'text', text: '' },
        { type: 'tool_call', id: 'toolu_a', name: 'Read', args: { file_path: 'a' } },
      ],
    },
    { role: 'user', parts: [{ type: 'tool_result', id: 'toolu_a', content: 'one', is_error: false }] },
  ];
  const { body } = await ask(
    { text: 'done' },
    { system: 'You lead.', messages, tools: [tool, { ...tool, name: 'Grep' }] },
  );
  const mark = { cache_control: { type: 'ephemeral' } };
  expect(body).toMatchObject({
    model: defaultModel,
    stream: true,
    system: [{ type: 'text', text: 'You lead.', ...mark }],
    tools: [
      { name: 'Read', description: 'Reads.', input_schema: { type: 'object', properties: {} } },
      { name: 'Grep', ...mark },
    ],
    tool_choice: { type: 'auto' },
    thinking: { type: 'adaptive', display: 'summarized' },
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [thinking, { type: 'tool_use', id: 'toolu_a', name: 'Read', input: { file_path: 'a' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_a',
            content: [{ type: 'text', text: 'one' }],
            is_error: false,
            ...mark,
          },
        ],
      },
    ],
  });
  expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3);
});

test('the usage of a cut turn is what the stream reported so far', async () => {
  const { reply } = await ask({ text: 'a long answer', cut: true });
  expect(reply.usage).toMatchObject({
    input: 120,
    cache_read: 2000,
    cache_write_5m: 1000,
    cost: expect.any(Number),
  });
});

test('X004-10.3 tools that may not be called are still told, so that the cache of definitions holds', async () => {
  const { body } = await ask({ text: 'done' }, { tools: [tool], toolChoice: 'none' });
  expect(body).toMatchObject({ tools: [{ name: 'Read' }], tool_choice: { type: 'none' } });
});

test('without tools and system text neither field is sent', async () => {
  const { body } = await ask({ text: 'done' });
  expect(Object.keys(Object(body))).not.toEqual(expect.arrayContaining(['tools']));
  expect(body).not.toHaveProperty('system');
  expect(body).not.toHaveProperty('tool_choice');
});

test.each([
  ['claude-opus-5-5', true],
  ['claude-sonnet-5', true],
  ['claude-opus-4-6', true],
  ['claude-opus-4-20250514', false],
  ['claude-3-5-sonnet-latest', false],
  ['gateway/some-model', false],
])('%s is asked to think by itself: %s', async (model, thinks) => {
  const { body } = await ask({ text: 'done' }, {}, model);
  expect(Object.hasOwn(Object(body), 'thinking')).toBe(thinks);
});

test('the environment of the process changes neither the address nor the key', async () => {
  vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
  vi.stubEnv('ANTHROPIC_API_KEY', 'another-key');
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'a-token');
  const { headers } = await ask({ text: 'done' });
  // The SDK sends a key as a bearer token (1.12).
  expect(headers).toMatchObject({ authorization: 'Bearer key-for-tests' });
  expect(JSON.stringify(headers)).not.toMatch(/another-key|a-token/);
});

async function ask(step: MessagesStep, own: Partial<ModelTurn> = {}, modelName: string | null = null) {
  const upstream = await startMessagesUpstream(messagesInOrder(step));
  onTestFinished(() => upstream.close());
  const settings = { 'anthropic.base_url': `${upstream.url}/` };
  const model = await anthropicProvider.openModel({ ...environment, settings, model: modelName });
  const heard: ModelSign[] = [];
  const reply = await model.turn(turnOf(heard, own));
  return { reply, heard, body: upstream.requests[0]?.body, headers: upstream.requests[0]?.headers };
}
