import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AgentPainException,
  type ContentSegment,
  type IAgentContext,
  type IProvider,
  type ProviderPiece,
} from '../../tools/definition/interfaces.ts';
import { memoryOf, messagesOf } from '../history/agent-memory.ts';
import { modelOf } from './agent-model.ts';
import { foldPieces } from './fold-pieces.ts';
import type { ModelMessage, ModelSign } from '../contract/model.ts';
import { clientSaying, ScriptedClient, saying } from '../scripted-client.test-helper.ts';

const identity = {
  provider: 'theirs',
  displayName: 'Theirs',
  version: null,
  model: null,
  login: null,
  destination: null,
  remarks: [],
};
const tool = { name: 'fs.read', description: 'Reads.', parameters: { type: 'object' } };
const go: readonly ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }];

async function ask(provider: IProvider, own: { ours?: boolean; messages?: readonly ModelMessage[] } = {}) {
  const [heard, warnings]: [ModelSign[], string[]] = [[], []];
  const warn = own.ours === true ? null : (warning: string) => void warnings.push(warning);
  const { end, usage } = await modelOf({ provider, identity, warn }).turn({
    system: 'You lead.',
    messages: own.messages ?? go,
    tools: [tool],
    toolsId: 'id',
    toolChoice: 'auto',
    signal: new AbortController().signal,
    say: (sign) => void heard.push(sign),
  });
  return { end, usage, heard, warnings };
}

/** As it comes from JSON: nothing is known of its form. */
function answering(...segments: readonly unknown[]): IProvider {
  const response = JSON.stringify({ segments });
  return { name: 'theirs', generate: async () => JSON.parse(response) };
}

test('R004-7, R004-8 a provider is told of the tools, of what was said before and of what is said now', async () => {
  const contexts: [string, IAgentContext][] = [];
  const provider: IProvider = {
    name: 'theirs',
    async generate(prompt, context) {
      contexts.push([prompt, context]);
      return { segments: [{ type: 'text', text: 'done' }], metadata: { ticket: 7 } };
    },
  };
  const { end } = await ask(provider);
  expect(end).toMatchObject({ kind: 'said', parts: [{ type: 'text', text: 'done' }, { type: 'opaque' }] });
  const parts = end.kind === 'said' ? [...end.parts] : [];
  await ask(provider, { messages: [...go, { role: 'assistant', parts }, ...go] });
  expect(contexts.map(([prompt]) => prompt)).toEqual(['go', 'go']);
  expect(contexts[1]?.[1]).toMatchObject({
    tools: new Map([['fs.read', tool]]),
    toolsId: 'id',
    system: 'You lead.',
    memory: [
      { role: 'user', text: 'go' },
      { role: 'assistant', segments: [{ type: 'text', text: 'done' }], metadata: { ticket: 7 } },
    ],
  });
});

test('R004-2, R004-5 segments keep their order, and a call without an id gets one', async () => {
  const { end, heard } = await ask(
    answering(
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', toolCall: { name: 'fs.read', args: { path: 'a' } } },
      { type: 'text', text: 'Wait.' },
    ),
  );
  expect(end).toMatchObject({
    parts: [
      { type: 'text', text: 'I look.' },
      {
        type: 'tool_call',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'fs.read',
        args: { path: 'a' },
      },
      { type: 'text', text: 'Wait.' },
    ],
  });
  expect(heard).toEqual([
    { kind: 'begun' },
    { kind: 'text', block: 0, text: 'I look.' },
    { kind: 'text_end', block: 0 },
    { kind: 'text', block: 1, text: 'Wait.' },
    { kind: 'text_end', block: 1 },
  ]);
});

test('R004-4 pictures, sounds, films and components are shown, and come back to their provider', async () => {
  const segments: ContentSegment[] = [
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' },
    { type: 'video', data: 'https://example.org/a.mp4', mimeType: 'video/mp4' },
    { type: 'ui', ui: { kind: 'chart' } },
  ];
  const { end, heard } = await ask(answering(...segments));
  expect(heard.slice(1)).toEqual([
    { kind: 'media', media: 'image', mimeType: 'image/png', data: 'AAAA' },
    { kind: 'media', media: 'audio', mimeType: 'audio/wav', data: 'BBBB' },
    { kind: 'media', media: 'video', mimeType: 'video/mp4', data: 'https://example.org/a.mp4' },
    { kind: 'ui', component: { kind: 'chart' } },
  ]);
  const parts = end.kind === 'said' ? [...end.parts] : [];
  expect(memoryOf([{ role: 'assistant', parts }]).memory).toEqual([{ role: 'assistant', segments }]);
});

const malformed: readonly (readonly [unknown, unknown, string])[] = [
  [
    { type: 'text', text: 'a', data: 'b' },
    { type: 'text', text: 'a' },
    'theirs: segment 1: dropped its field data',
  ],
  [{ type: 'text' }, null, 'theirs: segment 1: dropped: '],
  [{ type: 'image', data: 'AAAA' }, null, 'theirs: segment 1: dropped: '],
  [{ type: 'audio', data: 'AAAA' }, null, 'theirs: segment 1: dropped: '],
  [{ type: 'video', mimeType: 'video/mp4' }, null, 'theirs: segment 1: dropped: '],
  [{ type: 'tool_call', toolCall: { args: {} } }, null, 'theirs: segment 1: dropped: '],
  [{ type: 'tool_call', text: 'x' }, null, 'theirs: segment 1: dropped: '],
  [{ type: 'hologram', data: 'x' }, null, 'theirs: segment 1: dropped: '],
  ['text', null, 'theirs: segment 1: dropped: '],
];

test.each(malformed)(
  'X004-5 %j of others is dropped as far as it must be, with a warning',
  async (segment, kept, why) => {
    const { end, warnings } = await ask(answering(segment));
    expect(end).toMatchObject({ kind: 'said', parts: kept === null ? [] : [kept] });
    expect(warnings).toEqual([expect.stringContaining(why)]);
  },
);

test.each(malformed)('X004-5 %j of ours is an error', async (segment) => {
  const { end } = await ask(answering(segment), { ours: true });
  expect(end).toMatchObject({ kind: 'empty', message: expect.stringContaining('a segment is malformed') });
});

test('an answer without segments is no crash', async () => {
  const { end, warnings } = await ask({ name: 'theirs', generate: async () => JSON.parse('{}') });
  expect(end).toMatchObject({ kind: 'said', parts: [] });
  expect(warnings).toEqual(['theirs: the answer has no list of segments']);
});

test('R004-13, X004-8 a text about an error is passed on as text, an AgentPainException as what went wrong', async () => {
  const told = await ask(answering({ type: 'text', text: 'The answer was no JSON.' }));
  expect(told.end).toMatchObject({ parts: [{ type: 'text', text: 'The answer was no JSON.' }] });
  const pain = new AgentPainException('no JSON', { cause: new SyntaxError('x'), raw: '{' });
  const thrown = await ask({ name: 'theirs', generate: async () => Promise.reject(pain) });
  expect(thrown.end).toEqual({ kind: 'empty', message: 'theirs: no JSON' });
  const broken = await ask({
    name: 'theirs',
    generate: async () => Promise.reject(new TypeError('x is undefined')),
  });
  expect(broken.end).toMatchObject({
    kind: 'unavailable',
    code: 'internal',
    message: 'theirs: x is undefined',
  });
});

test('R004-13, X004-8 a client of ours that fails throws an AgentPainException with what was heard', async () => {
  const client = clientSaying({ type: 'error', error: 'garbage', code: 'parse' });
  client.defaultModel = () => 'model-1';
  const failed = await client.generate('go', { tools: new Map() }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(AgentPainException);
  expect(failed).toMatchObject({ message: 'garbage', raw: { type: 'error', error: 'garbage' } });
  expect(failed).toHaveProperty('cause.message', 'garbage');
});

test('R004-8 a client of ours tells the model of every tool of the context', async () => {
  const client = clientSaying({ type: 'complete', text: 'done' });
  client.defaultModel = () => 'model-1';
  const tools = new Map(['a', 'b'].map((name) => [name, { ...tool, name }]));
  await client.generate('go', { tools });
  expect(client.requests[0]?.tools).toEqual([...tools.values()]);
});

test('what a stream says is heard as it comes', async () => {
  const provider: IProvider = {
    name: 'theirs',
    generate: async () => Promise.reject(new Error('not asked')),
    async *stream() {
      yield { type: 'text_delta', index: 4, text: 'Hel' };
      yield { type: 'text_delta', index: 4, text: 'lo' };
      yield { type: 'segment', index: 5, segment: { type: 'text', text: 'again' } };
      yield { type: 'metadata', metadata: { stop_reason: 'end_turn' } };
    },
  };
  const { end, heard } = await ask(provider);
  expect(heard).toEqual([
    { kind: 'begun' },
    { kind: 'text', block: 0, text: 'Hel' },
    { kind: 'text', block: 0, text: 'lo' },
    { kind: 'text_end', block: 0 },
    { kind: 'text', block: 1, text: 'again' },
    { kind: 'text_end', block: 1 },
  ]);
  expect(end).toMatchObject({ stopReason: 'end_turn', parts: [{ text: 'Hello' }, { text: 'again' }, {}] });
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
      const client = new ScriptedClient(() => saying(...events, { type: 'complete', text }));
      client.defaultModel = () => 'model-1';
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

const heardPart = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ minLength: 1 }) }),
  fc.record({
    type: fc.constant('tool_result' as const),
    id: fc.uuid(),
    content: fc.string(),
    is_error: fc.boolean(),
  }),
);
const saidPart = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string() }),
  fc.record({
    type: fc.constant('tool_call' as const),
    id: fc.uuid(),
    name: fc.string(),
    args: fc.constant({}),
  }),
);
const turns = fc.array(
  fc
    .tuple(fc.array(heardPart, { minLength: 1 }), fc.array(saidPart, { minLength: 1 }))
    .map(([heard, said]): ModelMessage[] => [
      { role: 'user', parts: heard },
      { role: 'assistant', parts: said },
    ]),
);

test('messages are remembered in the words of 004 and read back as they were', () => {
  fc.assert(
    fc.property(turns, (pairs) => {
      const messages = pairs.flat();
      const { prompt, memory } = memoryOf(messages);
      expect([prompt, messagesOf(memory)]).toEqual(['', messages]);
    }),
  );
});

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item, void, void> {
  yield* items;
}
