import { FunctionCallingConfigMode } from '@google/genai';
import { expect, onTestFinished, test, vi } from 'vitest';
import { turnOf } from '../../../test/contract/providers/fixture.ts';
import { startGeminiUpstream } from '../../../test/upstream/gemini-server.ts';
import { messagesInOrder, type MessagesStep } from '../../../test/upstream/messages-steps.ts';
import type { ModelMessage, ModelTurn } from '../contract/model.ts';
import { toFunction } from './build-request.ts';
import { GeminiClient, geminiProvider } from './gemini_client.ts';
import { readPart } from './read-reply.ts';
import { partSchema } from './wire.ts';

const environment = {
  env: { GEMINI_API_KEY: 'key-for-tests' },
  cwd: '/nowhere',
  settings: {},
  signal: new AbortController().signal,
  model: null,
};
const read = {
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
};
const user: ModelMessage = { role: 'user', parts: [{ type: 'text', text: 'go' }] };
const result: ModelMessage = {
  role: 'user',
  parts: [{ type: 'tool_result', id: 'call_a', content: 'one', is_error: false }],
};

test('R004-9 a tool becomes a function of the API, as the specification’s example shows', () => {
  expect(toFunction(read)).toEqual({
    name: 'read',
    description: 'Reads a file.',
    // The API's own `parameters` is a dialect that refuses much of JSON Schema; this field accepts all of it.
    parametersJsonSchema: read.parameters,
  });
});

test('R004-2.2 R004-9 a part of the API becomes a call, as the specification’s example shows', () => {
  expect(readPart(partSchema.parse({ functionCall: { name: 'read', args: { path: 'a.txt' } } }))).toEqual([
    {
      type: 'tool_call',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'read',
      args: { path: 'a.txt' },
    },
  ]);
});

test('R004-4.1,3 R004-5.1 R004-8.3 mixed parts become segments in their order', async () => {
  const upstream = await startGeminiUpstream(
    messagesInOrder({ text: 'I look.', tools: [{ name: 'read', input: { path: 'a.txt' }, id: 'call_a' }] }),
  );
  onTestFinished(() => upstream.close());
  const client = new GeminiClient({ env: { ...environment.env, GEMINI_API_BASE: upstream.url } });
  const { segments } = await client.generate('go', { tools: new Map([['read', read]]) });
  expect(segments).toEqual([
    { type: 'text', text: 'I look.' },
    { type: 'tool_call', toolCall: { id: 'call_a', name: 'read', args: { path: 'a.txt' } } },
  ]);
});

test('history, tools and system text are sent in the API’s form', async () => {
  const failed: ModelMessage = {
    role: 'user',
    parts: [
      { type: 'tool_result', id: 'call_b', content: 'no such file', is_error: true },
      { type: 'text', text: 'and?' },
      { type: 'media', kind: 'image', mime_type: 'image/png', data: 'aGk=', name: 'a.png' },
    ],
  };
  const { body } = await ask(
    { text: 'done' },
    {
      system: 'You advise.',
      tools: [{ ...read, name: 'fs.read' }],
      toolChoice: 'none',
      parameters: { temperature: 0.5, thinkingBudget: 1024 },
      messages: [user, saying('call_b', 'fs.read'), failed],
    },
    'gemini-2.5-pro',
  );
  expect(body).toEqual({
    systemInstruction: { parts: [{ text: 'You advise.' }], role: 'user' },
    contents: [
      { role: 'user', parts: [{ text: 'go' }] },
      { role: 'model', parts: [{ functionCall: { id: 'call_b', name: 'fs--read', args: { path: 'a' } } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_b', name: 'fs--read', response: { error: 'no such file' } } },
        ],
      },
      {
        role: 'user',
        parts: [{ text: 'and?' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
      },
    ],
    tools: [
      {
        functionDeclarations: [
          { name: 'fs--read', description: 'Reads a file.', parametersJsonSchema: read.parameters },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.NONE } },
    generationConfig: {
      temperature: 0.5,
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
    },
  });
});

test('sealed values are sent back on their call; a call of another model gets Google’s documented seal', async () => {
  const { reply } = await ask({
    tools: [
      { name: 'read', input: {}, id: 'call_a' },
      { name: 'read', input: {}, id: 'call_b' },
    ],
  });
  if (reply.end.kind !== 'said') throw new Error(reply.end.message);
  const said: ModelMessage = { role: 'assistant', parts: [...reply.end.parts] };
  const both: ModelMessage = {
    role: 'user',
    parts: [...result.parts, { type: 'tool_result', id: 'call_b', content: 'two', is_error: false }],
  } as const;
  const sealsIn = async (model: string | null, ...messages: readonly ModelMessage[]) => {
    const { body } = await ask({ text: 'done' }, { messages: [user, ...messages] }, model);
    return JSON.stringify(body).match(/"thoughtSignature":"[^"]*"/g);
  };
  expect(await sealsIn(null, said, both)).toEqual(['"thoughtSignature":"c2VhbA=="']);
  expect(await sealsIn(null, saying('call_a', 'read'), result)).toEqual([
    '"thoughtSignature":"skip_thought_signature_validator"',
  ]);
  expect(await sealsIn('gemini-2.5-pro', saying('call_a', 'read'), result)).toBeNull();
});

test('the environment of the process changes neither the address nor the key', async () => {
  vi.stubEnv('GOOGLE_API_KEY', 'another-key');
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', 'http://127.0.0.1:9');
  vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', 'true');
  vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'another-project');
  const { headers } = await ask({ text: 'done' });
  expect(headers).toMatchObject({ 'x-goog-api-key': 'key-for-tests' });
  expect(JSON.stringify(headers)).not.toContain('another');
});

function saying(id: string, name: string): ModelMessage {
  return { role: 'assistant', parts: [{ type: 'tool_call', id, name, args: { path: 'a' } }] };
}

async function ask(step: MessagesStep, own: Partial<ModelTurn> = {}, name: string | null = null) {
  const upstream = await startGeminiUpstream(messagesInOrder(step));
  onTestFinished(() => upstream.close());
  const env = { ...environment.env, GEMINI_API_BASE: upstream.url };
  const model = await geminiProvider.openModel({ ...environment, env, model: name });
  const reply = await model.turn(turnOf([], own));
  return { reply, body: upstream.requests[0]?.body, headers: upstream.requests[0]?.headers };
}
