/**
 * Faults and odd ends that servers compatible with Chat Completions send within a stream of status 200, in the forms that their
 * documentation, source or issue trackers show. Not verified against running servers: no gateway is reachable from the tests.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventStream, jsonAnswer, startRawUpstream, type RawUpstream } from '../../upstream/raw-server.ts';
import { openaiChat } from './openai-chat.ts';
import { askAt } from './recorded-answers.ts';

let upstream: RawUpstream;
beforeAll(async () => {
  upstream = await startRawUpstream();
});
afterAll(() => upstream.close());

const text = 'All is well.';
const said = { kind: 'said', parts: [{ type: 'text', text }], stopReason: 'end_turn' };
const chunk = (delta: object, finish_reason: string | null = null, fields: object = {}) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason, logprobs: null }],
  ...fields,
});
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const read = { name: 'Read', arguments: '{"path":"a"}' };
const done = '[DONE]';

test.each<readonly [name: string, events: readonly unknown[], end: object]>([
  [
    'LiteLLM: fields of its own are null, usage comes with an empty choice',
    [
      chunk({
        content: text,
        role: 'assistant',
        provider_specific_fields: null,
        function_call: null,
        tool_calls: null,
        audio: null,
      }),
      chunk({ content: null }, 'stop'),
      chunk({}, null, { usage }),
      done,
    ],
    said,
  ],
  [
    'LiteLLM: an error with its status as text',
    [
      chunk({ content: 'All' }),
      { error: { message: 'litellm.RateLimitError: slow', type: null, param: null, code: '429' } },
    ],
    { kind: 'overloaded', message: expect.stringContaining('slow'), rateLimited: true },
  ],
  [
    'llama.cpp: timings in the last chunk, usage without choices',
    [
      chunk({ role: 'assistant', content: null }),
      chunk({ content: text }),
      chunk({}, 'stop'),
      { choices: [], usage, timings: { prompt_n: 7, predicted_ms: 1.5 } },
      done,
    ],
    said,
  ],
  [
    'llama.cpp: the context is full in mid-answer',
    [
      chunk({ content: 'All' }),
      { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } },
    ],
    { kind: 'timed_out', limit: 'context' },
  ],
  [
    'LM Studio: a prompt that does not fit is refused with status 200',
    [
      {
        error: {
          message:
            'The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input',
        },
        message: 'too long',
      },
    ],
    { kind: 'timed_out', limit: 'context' },
  ],
  [
    'LM Studio: an error without a code',
    [chunk({ content: 'All' }), { error: { message: 'Compute error.' }, message: 'Compute error.' }],
    { kind: 'cut', message: expect.stringContaining('Compute error.') },
  ],
  [
    'OpenRouter: a provider that fails in mid-answer is named',
    [
      chunk({ content: 'All' }),
      chunk({ content: '' }, 'error', { error: { code: 502, message: 'Provider disconnected' } }),
      done,
    ],
    { kind: 'overloaded', message: expect.stringContaining('Provider disconnected') },
  ],
  [
    'Azure: results of its filter come alone, in a choice without a delta',
    [
      { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      chunk({ content: text }, null),
      {
        choices: [{ index: 0, finish_reason: null, content_filter_results: {}, content_filter_offsets: {} }],
      },
      chunk({}, 'stop'),
      done,
    ],
    said,
  ],
  [
    'Together: a text and a token beside the delta, and the reason eos',
    [
      {
        choices: [
          { index: 0, text, delta: { token_id: 1, role: 'assistant', content: text }, finish_reason: null },
        ],
      },
      chunk({ content: '' }, 'eos', { usage }),
      done,
    ],
    said,
  ],
  [
    'Groq: its own record in the first and the last chunk',
    [
      chunk({ role: 'assistant', content: '' }, null, { x_groq: { id: 'req_1' } }),
      chunk({ content: text }),
      chunk({}, 'stop', { x_groq: { id: 'req_1', usage: { queue_time: 0.1, ...usage } } }),
      done,
    ],
    said,
  ],
  [
    'DeepSeek: too little capacity is no end of the answer',
    [chunk({ content: 'All' }), chunk({}, 'insufficient_system_resource'), done],
    { kind: 'cut', message: expect.stringContaining('insufficient_system_resource') },
  ],
  [
    'Ollama: calls that come whole share an index, and the reason is stop',
    [
      chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: read }] }),
      chunk({
        tool_calls: [
          { index: 0, id: 'b', type: 'function', function: { name: 'Read', arguments: '{"path":"b"}' } },
        ],
      }),
      chunk({}, 'stop'),
      done,
    ],
    {
      kind: 'said',
      parts: [
        { type: 'tool_call', id: 'a', name: 'Read', args: { path: 'a' } },
        { type: 'tool_call', id: 'b', name: 'Read', args: { path: 'b' } },
      ],
    },
  ],
  [
    'Bedrock Access Gateway: usage is null until a last chunk without choices',
    [
      chunk({ role: 'assistant', content: '' }, null, { usage: null, system_fingerprint: 'fp' }),
      chunk({ reasoning_content: 'Hm.', content: null }, null, { usage: null }),
      chunk({ content: text }, null, { usage: null }),
      chunk({}, 'stop', { usage: null }),
      { choices: [], usage: { ...usage, prompt_tokens_details: null } },
      done,
    ],
    said,
  ],
  [
    'vLLM: token ids and a stop reason of its own',
    [
      chunk({ role: 'assistant', content: '' }, null, { prompt_token_ids: null }),
      chunk({ content: text, tool_calls: [] }),
      { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop', stop_reason: 151643 }] },
      { choices: [], usage },
      done,
    ],
    said,
  ],
  [
    'Mistral: an answer with references keeps its text',
    [
      chunk({
        content: [
          { type: 'text', text },
          { type: 'reference', reference_ids: [1] },
        ],
      }),
      chunk({}, 'stop'),
      done,
    ],
    said,
  ],
])('streamed: %s', async (_name, events, end) => {
  const { reply } = await askAt(openaiChat, upstream.answerAt(eventStream(events)), true);
  expect(reply.end).toMatchObject(end);
});

test('comments of OpenRouter and DeepSeek before, between and after the events are no data', async () => {
  const { pieces, contentType } = eventStream([chunk({ content: text }), chunk({}, 'stop'), done]);
  const comments = [': OPENROUTER PROCESSING\n\n', ': keep-alive\n\n'];
  const url = upstream.answerAt({ contentType, pieces: pieces.flatMap((piece) => [...comments, piece]) });
  expect((await askAt(openaiChat, url, true)).reply.end).toMatchObject(said);
});

test('llama.cpp: a request that exceeds the context is refused as too long', async () => {
  const message = 'the request exceeds the available context size, try increasing it';
  const error = { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: 9, n_ctx: 8 };
  const url = upstream.answerAt({ ...jsonAnswer({ error }), status: 400 });
  expect((await askAt(openaiChat, url, true)).reply.end).toMatchObject({
    kind: 'timed_out',
    limit: 'context',
  });
});

test('LM Studio: an error that is only text is shown', async () => {
  const url = upstream.answerAt({ ...jsonAnswer({ error: 'No models loaded.' }), status: 400 });
  expect((await askAt(openaiChat, url, true)).reply.end).toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('No models loaded.'),
  });
});

test('Groq: the usage of its own record counts if there is no other', async () => {
  const events = [chunk({ content: text }), chunk({}, 'stop', { x_groq: { id: 'req_1', usage } }), done];
  const { reply } = await askAt(openaiChat, upstream.answerAt(eventStream(events)), true);
  expect(reply.usage).toMatchObject({ input: 7, output: 3 });
});
