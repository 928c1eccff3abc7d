import { expect, onTestFinished, test, vi } from 'vitest';
import { startChatUpstream } from '../../../test/upstream/chat-server.ts';
import { messagesInOrder, type MessagesStep } from '../../../test/upstream/messages-steps.ts';
import { startUpstream } from '../../../test/upstream/responses-server.ts';
import { inOrder, type Step } from '../../../test/upstream/steps.ts';
import { turnOf } from '../../../test/contract/providers/fixture.ts';
import type { ModelMessage, ModelTurn } from '../contract/model.ts';
import { argumentsIn } from '../client/hearing.ts';
import { createChatHearing } from './chat-hearing.ts';
import { openaiProvider } from './openai_client.ts';
import { createResponsesHearing } from './responses-hearing.ts';

const tool = { name: 'fs.read', description: 'Reads.', parameters: { type: 'object', properties: {} } };
const environment = {
  env: { OPENAI_API_KEY: 'key-for-tests' },
  cwd: '/nowhere',
  settings: {},
  signal: new AbortController().signal,
  model: null,
};
const talk: readonly ModelMessage[] = [
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'go' },
      { type: 'media', kind: 'image', mime_type: 'image/png', data: 'aGk=', name: 'a.png' },
    ],
  },
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'call_a', name: 'fs.read', args: { path: 'a' } },
    ],
  },
  {
    role: 'user',
    parts: [
      { type: 'tool_result', id: 'call_a', content: 'one', is_error: false },
      { type: 'text', text: 'and?' },
    ],
  },
];

test('requests go to OpenAI, or to OPENAI_API_BASE or the configured address', async () => {
  const destinationOf = async (own: object) =>
    (await openaiProvider.openModel({ ...environment, ...own })).identity.destination;
  const env = { ...environment.env, OPENAI_API_BASE: 'http://localhost:11434/v1' };
  expect(await destinationOf({})).toBe('api.openai.com');
  expect(await destinationOf({ env })).toBe('localhost:11434');
  expect(
    await destinationOf({ env, settings: { 'openai.base_url': 'https://gateway.example.org/v1' } }),
  ).toBe('gateway.example.org');
  await expect(destinationOf({ env: { ...env, OPENAI_API_BASE: 'nowhere' } })).rejects.toMatchObject({
    code: 'options',
    message: 'OPENAI_API_BASE is not an address: nowhere',
  });
});

test('it cannot work without a key, and an unknown interface is refused', async () => {
  expect(await openaiProvider.probe({ ...environment, env: {} })).toMatchObject({
    ready: false,
    code: 'auth',
    message: 'OPENAI_API_KEY is not set',
  });
  await expect(
    openaiProvider.openModel({ ...environment, settings: { 'openai.api': 'completions' } }),
  ).rejects.toMatchObject({
    code: 'options',
    message: 'providers.openai.api is not an interface: completions',
  });
});

test('R004-9.1 sends history and tools to an address of one’s own in the form of Chat Completions', async () => {
  const { body } = await askChat({ text: 'done' }, { system: 'You advise.', messages: talk, tools: [tool] });
  expect(body).toEqual({
    model: 'gpt-5.6-sol',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'You advise.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'go' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'fs--read', arguments: '{"path":"a"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'one' },
      { role: 'user', content: [{ type: 'text', text: 'and?' }] },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'fs--read', description: 'Reads.', parameters: { type: 'object', properties: {} } },
      },
    ],
    tool_choice: 'auto',
  });
});

test('R004-9.1 sends the same to the Responses API, which stores nothing of it', async () => {
  const { bodies } = await askResponses([{ text: 'done' }], {
    system: 'You advise.',
    messages: talk,
    tools: [tool],
    toolChoice: 'none',
  });
  expect(bodies[0]).toEqual({
    model: 'gpt-5.6-sol',
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: 'You advise.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'go' },
          { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,aGk=' },
        ],
      },
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'call_a', name: 'fs--read', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: 'call_a', output: 'one' },
      { role: 'user', content: [{ type: 'input_text', text: 'and?' }] },
    ],
    tools: [
      {
        type: 'function',
        name: 'fs--read',
        description: 'Reads.',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ],
    tool_choice: 'none',
  });
});

test('sealed thoughts of a response are sent back with the next request', async () => {
  const { reply } = await askResponses([{ reasoning: 'hm', text: 'I look.' }]);
  if (reply.end.kind !== 'said') throw new Error(reply.end.message);
  const said: ModelMessage = { role: 'assistant', parts: [...reply.end.parts] };
  const { bodies } = await askResponses([{ text: 'done' }], {
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }, said, talk[0] ?? said],
  });
  expect(bodies[0]).toMatchObject({
    input: [
      { role: 'user' },
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'opaque',
      },
      { role: 'assistant', content: 'I look.' },
      { role: 'user' },
    ],
  });
});

test.each([
  ['gpt-5.6-sol', true],
  ['o4-mini', true],
  ['gpt-4.1', false],
  ['gpt-5.3-chat-latest', false],
  ['some-model', false],
])('%s is asked for its thoughts: %s', async (model, thinks) => {
  const { bodies } = await askResponses([{ text: 'done' }], {}, model);
  expect(Object.hasOwn(Object(bodies[0]), 'include')).toBe(thinks);
});

test('invalid JSON arguments are kept as written, missing ones become an empty object', () => {
  expect(['{"a":1}', '', ' ', '{"a":'].map(argumentsIn)).toEqual([{ a: 1 }, {}, {}, '{"a":']);
});

test('the environment of the process changes neither the address nor the key', async () => {
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9');
  vi.stubEnv('OPENAI_API_KEY', 'another-key');
  vi.stubEnv('OPENAI_ORG_ID', 'another-organisation');
  vi.stubEnv('OPENAI_PROJECT_ID', 'another-project');
  const { headers } = await askChat({ text: 'done' });
  expect(headers).toMatchObject({ authorization: 'Bearer key-for-tests' });
  expect(JSON.stringify(headers)).not.toContain('another');
});

async function askChat(step: MessagesStep, own: Partial<ModelTurn> = {}) {
  const upstream = await startChatUpstream(messagesInOrder(step));
  onTestFinished(() => upstream.close());
  const env = { ...environment.env, OPENAI_API_BASE: upstream.url };
  const model = await openaiProvider.openModel({ ...environment, env });
  await model.turn(turnOf([], own));
  return { body: upstream.requests[0]?.body, headers: upstream.requests[0]?.headers };
}

async function askResponses(
  steps: readonly Step[],
  own: Partial<ModelTurn> = {},
  name: string | null = null,
) {
  const upstream = await startUpstream(inOrder(...steps));
  onTestFinished(() => upstream.close());
  const settings = { 'openai.base_url': upstream.url, 'openai.api': 'responses' };
  const model = await openaiProvider.openModel({ ...environment, settings, model: name });
  const reply = await model.turn(turnOf([], own));
  return { reply, bodies: upstream.requests.map(({ body }) => body) };
}

test('a refusal in Chat Completions is no answer, and its text is kept, in pieces and as a whole', () => {
  const streamed = createChatHearing('m', () => undefined, false);
  streamed.hear({ choices: [{ index: 0, delta: { role: 'assistant', refusal: 'I cannot ' } }] });
  streamed.hear({ choices: [{ index: 0, delta: { refusal: 'help.' }, finish_reason: 'stop' }] });
  const whole = createChatHearing('m', () => undefined, true);
  whole.hear({ choices: [{ message: { content: null, refusal: 'I cannot help.' }, finish_reason: 'stop' }] });
  for (const hearing of [streamed, whole]) expect(hearing.end()).toEqual(refused);
});

test('a refusal in the Responses API is no answer, and its text is kept', () => {
  const hearing = createResponsesHearing('m', () => undefined);
  const content = [{ type: 'refusal', refusal: 'I cannot help.' }];
  hearing.hearWhole({ id: 'r', status: 'completed', output: [{ type: 'message', content }] });
  expect(hearing.end()).toEqual(refused);
});

const refused = { kind: 'empty', message: 'the model refused to answer: I cannot help.' };
