/** A client of ours as the `IProvider` of specification 004: `generate` and `stream`, which `codex-collab/providers` exports. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AgentPainException,
  type IAgentContext,
  type IProvider,
  type MemoryEntry,
  type ProviderPiece,
  type ProviderResponse,
} from '../../tools/definition/interfaces.ts';
import type { ModelMessage } from '../contract/model.ts';
import { getConversationThread } from '../history/history.ts';
import { toModelMessages } from '../history/history-messages.ts';
import { readAttachment } from '../history/read-attachment.ts';
import { clientSaying, saying, ScriptedClient } from '../scripted-client.test-helper.ts';
import type { StreamOptions } from './ai-client.ts';
import { foldPieces } from './fold-pieces.ts';

const tool = { name: 'fs.read', description: 'Reads.', parameters: { type: 'object' } };

async function ask(
  events: readonly unknown[],
  { prompt = 'go', ...context }: Partial<IAgentContext> & { readonly prompt?: string } = {},
) {
  const client = ofModelOne(clientSaying(...events));
  // Only the specification's names.
  const provider: IProvider = client;
  const response = await provider.generate(prompt, { tools: new Map(), ...context });
  return { response, request: client.requests[0] };
}

function ofModelOne(client: ScriptedClient): ScriptedClient {
  client.defaultModel = () => 'model-1';
  return client;
}

function messagesSent(request: StreamOptions | undefined): readonly ModelMessage[] {
  return request === undefined
    ? []
    : toModelMessages(getConversationThread(request.history), {
        model: request.modelId,
        attachment: (attachment) => readAttachment(attachment, null),
      });
}

const done = { type: 'complete', text: 'done' };

test('R004-7.1 R004-8.1 the model gets the tools, the system text, the memory and the prompt', async () => {
  const memory: MemoryEntry[] = [
    { role: 'user', text: 'look' },
    {
      role: 'assistant',
      segments: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', toolCall: { id: 'c1', name: 'fs.read', args: { path: 'a' } } },
      ],
      metadata: { opaque: [{ at: 0, value: { signature: 'x' } }] },
    },
    { role: 'tool', id: 'c1', content: 'one', isError: false },
  ];
  const tools = new Map(['fs.read', 'fs.list'].map((name) => [name, { ...tool, name }]));
  const { request } = await ask([done], { prompt: 'and now?', tools, memory, system: 'You lead.' });
  expect(request).toMatchObject({
    modelId: 'model-1',
    currentTextInput: 'and now?',
    systemPrompt: 'You lead.',
  });
  expect(request?.tools).toEqual([...tools.values()]);
  expect(messagesSent(request)).toMatchObject([
    { role: 'user', parts: [{ type: 'text', text: 'look' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'opaque', value: { signature: 'x' } },
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', id: 'c1', name: 'fs.read', args: { path: 'a' } },
      ],
    },
    { role: 'user', parts: [{ type: 'tool_result', id: 'c1', content: 'one', is_error: false }] },
  ]);
});

test('R004-4.2 a picture in the memory reaches the model', async () => {
  const memory: MemoryEntry[] = [
    { role: 'user', text: 'look', media: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] },
  ];
  const { request } = await ask([done], { memory });
  expect(messagesSent(request)).toMatchObject([
    {
      role: 'user',
      parts: [
        { type: 'media', kind: 'image', mime_type: 'image/png', data: 'iVBORw0KGgo=' },
        { type: 'text', text: 'look' },
      ],
    },
  ]);
});

test('R004-2.2 R004-5 X004-5.1 segments are in order with the fields of their type alone, and a call without an id gets one', async () => {
  const { response } = await ask([
    { type: 'text_chunk', text: 'I ', is_follow_up: false },
    { type: 'text_chunk', text: 'look.', is_follow_up: false },
    { type: 'function_call_start', function_name: 'fs.read', tool_name: 'fs.read', args: { path: 'a' } },
    {
      type: 'function_call_start',
      function_name: 'fs.list',
      tool_name: 'fs.list',
      args: {},
      tool_call_id: 'c2',
    },
    { ...done, stop_reason: 'tool_use' },
  ]);
  const expected: ProviderResponse = {
    segments: [
      { type: 'text', text: 'I look.' },
      {
        type: 'tool_call',
        toolCall: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'fs.read',
          args: { path: 'a' },
        },
      },
      { type: 'tool_call', toolCall: { id: 'c2', name: 'fs.list', args: {} } },
    ],
    metadata: { usage: null, model: null, stop_reason: 'tool_use' },
  };
  expect(response).toEqual(expected);
});

test('R004-13, X004-8 a text about an error is passed on as text; a failure is an AgentPainException with what was heard', async () => {
  const told = await ask([
    { type: 'text_chunk', text: 'The answer was no JSON.', is_follow_up: false },
    done,
  ]);
  expect(told.response.segments).toEqual([{ type: 'text', text: 'The answer was no JSON.' }]);
  const failed = await ask([{ type: 'error', error: 'garbage', code: 'parse' }]).catch(
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(AgentPainException);
  expect(failed).toMatchObject({ message: 'garbage', raw: { type: 'error', error: 'garbage' } });
  expect(failed).toHaveProperty('cause.message', 'garbage');
});

const event = fc.oneof(
  fc.record({ type: fc.constant('text_chunk'), text: fc.string(), is_follow_up: fc.boolean() }),
  fc.record({ type: fc.constant('thinking_chunk'), text: fc.string() }),
  fc.record({
    type: fc.constant('function_call_start'),
    function_name: fc.constantFrom('read', 'fs.read'),
    tool_name: fc.constant('read'),
    args: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()),
    tool_call_id: fc.uuid(),
  }),
);

test('XB-7, X004-12 what a provider generates is the fold of what it streams', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event), async (events) => {
      const text = events
        .map((told) => (told.type === 'text_chunk' && 'text' in told ? told.text : ''))
        .join('');
      const client = ofModelOne(new ScriptedClient(() => saying(...events, { type: 'complete', text })));
      const context = { tools: new Map() };
      const pieces: ProviderPiece[] = [];
      for await (const piece of client.stream('go', context)) pieces.push(piece);
      const generated = await client.generate('go', context);
      expect(await foldPieces(each(pieces))).toEqual(generated);
      expect(generated.segments.map((segment) => segment.text ?? '').join('')).toBe(text);
      const calls = generated.segments.flatMap(({ toolCall }) => toolCall?.id ?? []);
      expect(calls).toEqual(events.flatMap((told) => ('tool_call_id' in told ? [told.tool_call_id] : [])));
    }),
  );
});

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item, void, void> {
  yield* items;
}
