/**
 * Answers of servers that claim to be compatible with Chat Completions, in the forms that their documentation or
 * source shows. Not verified against running servers: no gateway is reachable from the tests.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventStream, jsonAnswer, startRawUpstream, type RawUpstream } from '../../upstream/raw-server.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { askAt } from './recorded-answers.ts';

let upstream: RawUpstream;
beforeAll(async () => {
  upstream = await startRawUpstream();
});
afterAll(() => upstream.close());

const text = 'All is well.';
const said = { kind: 'said', parts: [{ type: 'text', text }], stopReason: 'end_turn' };
const calls = (...args: readonly object[]) => ({
  kind: 'said',
  parts: args.map((input) => ({ type: 'tool_call', id: expect.any(String), name: 'Read', args: input })),
  stopReason: 'tool_use',
});
const piece = (delta: object | null | undefined, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (fields: object) => piece({ tool_calls: [fields] });
const stop = piece({}, 'stop');
const done = '[DONE]';
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const read = { name: 'Read', arguments: '{"path":"a"}' };

test.each<readonly [name: string, events: readonly unknown[], end: object]>([
  ['usage comes in a chunk without choices', [piece({ content: text }), stop, { usage }, done], said],
  ['usage comes with choices: null', [piece({ content: text }), stop, { choices: null, usage }, done], said],
  [
    'Azure: the first chunk has no choice but the results of its filter',
    [{ choices: [], prompt_filter_results: [] }, piece({ content: text }), stop, done],
    said,
  ],
  ['the last chunk has no delta', [piece({ content: text }), piece(undefined, 'stop'), done], said],
  ['the last chunk has delta: null', [piece({ content: text }), piece(null, 'stop'), done], said],
  ['usage and the reason come in one chunk', [piece({ content: text }), { ...stop, usage }, done], said],
  [
    'the reason is empty until the end',
    [{ choices: [{ index: 0, delta: { content: text }, finish_reason: '' }] }, stop, done],
    said,
  ],
  ['the reason is in upper case', [piece({ content: text }), piece({}, 'STOP'), done], said],
  [
    'Ollama, vLLM: thoughts in reasoning',
    [piece({ role: 'assistant', content: '', reasoning: 'Hm.' }), piece({ content: text }), stop, done],
    said,
  ],
  [
    'DeepSeek: thoughts in reasoning_content, content: null',
    [
      piece({ content: null, reasoning_content: 'Hm.' }),
      piece({ content: text, reasoning_content: null }),
      stop,
      done,
    ],
    said,
  ],
  [
    'Mistral: content as a list with thoughts',
    [
      piece({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
      piece({ content: [{ type: 'text', text }] }),
      stop,
      done,
    ],
    said,
  ],
  ['tool_calls: null', [piece({ content: text, tool_calls: null }), stop, done], said],
  ['no [DONE]', [piece({ content: text }), stop], said],
  [
    'the whole message comes again with the end',
    [
      piece({ content: text }),
      {
        choices: [
          { index: 0, delta: {}, message: { role: 'assistant', content: text }, finish_reason: 'stop' },
        ],
      },
      done,
    ],
    said,
  ],
  [
    'later pieces of a call have id: null and name: null',
    [
      call({ index: 0, id: 'a', type: 'function', function: { name: 'Read', arguments: '' } }),
      call({ index: 0, id: null, type: null, function: { name: null, arguments: '{"path"' } }),
      call({ index: 0, id: null, function: { name: null, arguments: ':"a"}' } }),
      piece({}, 'tool_calls'),
      done,
    ],
    calls({ path: 'a' }),
  ],
  [
    'a call has no type',
    [call({ index: 0, id: 'a', function: read }), piece({}, 'tool_calls'), done],
    calls({ path: 'a' }),
  ],
  [
    'Groq, Together: a call comes whole',
    [call({ index: 0, id: 'a', type: 'function', function: read }), piece({}, 'tool_calls'), done],
    calls({ path: 'a' }),
  ],
  [
    'arguments are an object',
    [
      call({ index: 0, id: 'a', type: 'function', function: { name: 'Read', arguments: { path: 'a' } } }),
      piece({}, 'tool_calls'),
      done,
    ],
    calls({ path: 'a' }),
  ],
  [
    'calls have no index, and ids',
    [
      piece({ tool_calls: [{ id: 'a', function: read }] }),
      piece({ tool_calls: [{ id: 'b', function: { name: 'Read', arguments: '{"path":"b"}' } }] }),
      piece({}, 'tool_calls'),
      done,
    ],
    calls({ path: 'a' }, { path: 'b' }),
  ],
  [
    'calls have neither index nor id',
    [
      piece({ tool_calls: [{ function: read }] }),
      piece({ tool_calls: [{ function: { name: 'Read', arguments: '{"path":"b"}' } }] }),
      piece({}, 'tool_calls'),
      done,
    ],
    calls({ path: 'a' }, { path: 'b' }),
  ],
  [
    'the name comes after the id',
    [call({ index: 0, id: 'a' }), call({ index: 0, function: read }), piece({}, 'tool_calls'), done],
    calls({ path: 'a' }),
  ],
  [
    'the form before tool_calls',
    [
      piece({ function_call: { name: 'Read', arguments: '{"path":' } }),
      piece({ function_call: { arguments: '"a"}' } }),
      piece({}, 'function_call'),
      done,
    ],
    calls({ path: 'a' }),
  ],
  [
    'Mistral: the limit of the model',
    [piece({ content: text }), piece({}, 'model_length'), done],
    { ...said, stopReason: 'max_tokens' },
  ],
  [
    'vLLM: a fault in the stream',
    [
      piece({ content: 'All' }),
      { object: 'error', message: 'the engine died', type: 'InternalServerError', code: 500 },
      done,
    ],
    { kind: 'overloaded', message: expect.stringContaining('the engine died') },
  ],
  [
    'OpenRouter: the reason is an error',
    [piece({ content: 'All' }), piece({}, 'error'), done],
    { kind: 'cut' },
  ],
  [
    'a call without a name',
    [call({ index: 0, id: 'a', function: { arguments: '{}' } }), piece({}, 'tool_calls'), done],
    { kind: 'cut', message: 'the API sent data that cannot be read: a tool call without a name' },
  ],
  [
    'a number in the place of text',
    [piece({ content: 42 }), stop, done],
    { kind: 'cut', message: expect.stringContaining('choices.0.delta.content') },
  ],
])('streamed: %s', async (_name, events, end) => {
  const { reply } = await askAt(openaiChat, upstream.answerAt(eventStream(events)), true);
  expect(reply.end).toMatchObject(end);
});

const whole = (message: object, fields: object = {}) => ({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...fields }],
  usage,
});

test.each<readonly [name: string, body: unknown, end: object]>([
  ['plain', whole({ content: text }), said],
  [
    'content as a list',
    whole({
      content: [
        { type: 'text', text: 'All is ' },
        { type: 'text', text: 'well.' },
      ],
    }),
    said,
  ],
  ['tool_calls: null', whole({ content: text, tool_calls: null }), said],
  ['no reason', whole({ content: text }, { finish_reason: null }), said],
  [
    'a call has no type',
    whole({ content: null, tool_calls: [{ id: 'a', function: read }] }, { finish_reason: 'tool_calls' }),
    calls({ path: 'a' }),
  ],
  [
    'two calls have neither index nor id',
    whole(
      { tool_calls: [{ function: read }, { function: { name: 'Read', arguments: '{"path":"b"}' } }] },
      { finish_reason: 'tool_calls' },
    ),
    calls({ path: 'a' }, { path: 'b' }),
  ],
  ['usage: null', { ...whole({ content: text }), usage: null }, said],
  ['a web page', '<html>Bad gateway</html>', { kind: 'cut' }],
])('whole: %s', async (_name, body, end) => {
  const { reply } = await askAt(openaiChat, upstream.answerAt(jsonAnswer(body)), false);
  expect(reply.end).toMatchObject(end);
});

test('tokens that are missing or written as text are counted as far as they are known', async () => {
  const events = [
    piece({ content: text }),
    stop,
    { choices: [], usage: { prompt_tokens: '7', completion_tokens: null } },
  ];
  const { reply } = await askAt(openaiChat, upstream.answerAt(eventStream(events)), true);
  expect(reply.usage).toMatchObject({ input: 7, output: 0 });
});

test('an error body without `error` keeps its message', async () => {
  const body = { object: 'error', message: "This model's maximum context length is 8192 tokens.", code: 400 };
  const url = upstream.answerAt({ ...jsonAnswer(body), status: 400 });
  expect((await askAt(openaiChat, url, true)).reply.end).toMatchObject({
    kind: 'timed_out',
    limit: 'context',
  });
});

test('Anthropic: cache writes that the last event raises are counted, and a repeated start is harmless', async () => {
  const start = {
    type: 'message_start',
    message: { model: 'm', usage: { input_tokens: 7, cache_creation_input_tokens: 10, output_tokens: 1 } },
  };
  const events = [
    start,
    start,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 3, cache_creation_input_tokens: 900 },
    },
    { type: 'message_stop' },
  ];
  const { reply } = await askAt(anthropic, upstream.answerAt(eventStream(events)), true);
  expect(reply).toMatchObject({ end: said, usage: { input: 7, output: 3, cache_write_5m: 900 } });
});

test('Gemini: a call without a name is reported', async () => {
  const parts = [{ functionCall: { args: { path: 'a' } } }];
  const chunk = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
  const { reply } = await askAt(gemini, upstream.answerAt(eventStream([chunk])), true);
  expect(reply.end).toMatchObject({ kind: 'cut', message: expect.stringContaining('functionCall.name') });
});
