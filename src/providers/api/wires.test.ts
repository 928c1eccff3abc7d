import { expect, test } from 'vitest';
import type { z } from 'zod';
import * as anthropic from '../anthropic/wire.ts';
import * as gemini from '../gemini/wire.ts';
import * as chat from '../openai/chat-wire.ts';
import * as responses from '../openai/responses-wire.ts';

const messageUsage = {
  input_tokens: 1,
  output_tokens: 2,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 4,
  cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 6 },
  output_tokens_details: { thinking_tokens: 7 },
};
const chatUsage = {
  prompt_tokens: 1,
  prompt_tokens_details: { cached_tokens: 2 },
  completion_tokens: 3,
  completion_tokens_details: { reasoning_tokens: 4 },
};
const responsesUsage = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 2 },
  output_tokens: 3,
  output_tokens_details: { reasoning_tokens: 4 },
};
const said = { text: 'a', thought: '', refusal: '' };
const chatMessage = {
  refusal: 'b',
  reasoning_content: 'c',
  reasoning: 'd',
  tool_calls: [{ index: 0, id: 'call', type: 'function', function: { name: 'f', arguments: '{}' } }],
  function_call: { name: 'g', arguments: '{}' },
};
const completion = {
  model: 'm',
  choices: [
    {
      delta: { content: 'a', ...chatMessage },
      message: { content: 'a', ...chatMessage },
      finish_reason: 'stop',
    },
  ],
  usage: chatUsage,
  x_groq: { usage: chatUsage },
};
const response = {
  status: 'completed',
  error: { code: 'c', message: 'm' },
  incomplete_details: { reason: 'max_output_tokens' },
  output: [{ type: 'message' }],
  model: 'm',
  usage: responsesUsage,
};
const part = {
  text: 'a',
  thought: true,
  thoughtSignature: 's',
  functionCall: { id: 'call', name: 'f', args: { a: 1 } },
};

test.each<[string, z.ZodType, unknown]>([
  [
    'a message',
    anthropic.messageSchema,
    { content: [{ type: 'text' }], model: 'm', stop_reason: 'end_turn', usage: messageUsage },
  ],
  ['its start', anthropic.messageStartSchema, { message: { model: 'm', usage: messageUsage } }],
  ['its end', anthropic.messageDeltaSchema, { delta: { stop_reason: 'end_turn' }, usage: messageUsage }],
  ['the start of a block', anthropic.blockStartSchema, { index: 0, content_block: { type: 'text' } }],
  ['a piece of a block', anthropic.blockDeltaSchema, { index: 0, delta: { type: 'text_delta' } }],
  ['the end of a block', anthropic.blockStopSchema, { index: 0 }],
  ['a text', anthropic.blockSchema, { type: 'text', text: 'a' }],
  ['thinking', anthropic.blockSchema, { type: 'thinking', thinking: 'a', signature: 's' }],
  ['redacted thinking', anthropic.blockSchema, { type: 'redacted_thinking', data: 'd' }],
  ['a call', anthropic.blockSchema, { type: 'tool_use', id: 'call', name: 'f', input: { a: 1 } }],
  ['a response', responses.responseSchema, response],
  ['the last event', responses.settledSchema, { response }],
  ['a delta', responses.deltaSchema, { delta: 'a' }],
  ['an item', responses.itemDoneSchema, { item: { type: 'message' } }],
  [
    'an output message',
    responses.messageSchema,
    {
      content: [
        { type: 'output_text', text: 'a' },
        { type: 'refusal', refusal: 'b' },
      ],
    },
  ],
  ['a function call', responses.callSchema, { call_id: 'call', name: 'f', arguments: '{}' }],
  ['a thought', responses.thoughtSchema, { summary: [{ text: 'a' }], encrypted_content: 's' }],
  ['an error event', responses.errorEventSchema, { code: 'c', message: 'm' }],
  ['a fault in a stream', chat.faultSchema, { object: 'error', message: 'm', code: 'c' }],
  ['a part', gemini.partSchema, part],
  [
    'a chunk',
    gemini.chunkSchema,
    {
      candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }],
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: {
        promptTokenCount: 1,
        toolUsePromptTokenCount: 2,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 4,
        cachedContentTokenCount: 5,
      },
      modelVersion: 'm',
    },
  ],
])('nothing of %s is lost', (_what, schema, value) => {
  expect(schema.parse(value)).toEqual(value);
});

test('nothing of a completion is lost; its content is sorted', () => {
  expect(chat.completionSchema.parse(completion)).toEqual({
    ...completion,
    choices: [
      {
        delta: { ...chatMessage, content: said },
        message: { ...chatMessage, content: said },
        finish_reason: 'stop',
      },
    ],
  });
  const content = [
    { type: 'text', text: 'a' },
    { type: 'refusal', refusal: 'b' },
    { type: 'reference' },
    { type: 'thinking', thinking: 'c' },
    { type: 'thinking', thinking: [{ text: 'd' }, { text: 'e' }] },
  ];
  expect(
    chat.completionSchema.parse({ choices: [{ delta: { content } }] }).choices[0]?.delta?.content,
  ).toEqual({
    text: 'a',
    thought: 'cde',
    refusal: 'b',
  });
});

test.each([
  ['text_delta', 'text', { text: 'a' }],
  ['thinking_delta', 'thinking', { thinking: 'a' }],
  ['signature_delta', 'signature', { signature: 'a' }],
  ['input_json_delta', 'input', { partial_json: 'a' }],
])('a %s extends the field %s', (type, field, delta) => {
  expect(anthropic.deltaTypes[type]?.field).toBe(field);
  expect(anthropic.deltaTypes[type]?.added.parse(delta)).toBe('a');
  expect(anthropic.deltaTypes[type]?.added.safeParse({}).success).toBe(false);
});

test('a call without a name, and thinking or a text of another type, is no block', () => {
  for (const damaged of [
    { type: 'tool_use', id: '', name: 'f' },
    { type: 'tool_use', id: 'call', name: '' },
    { type: 'text', text: 1 },
    { type: 'redacted_thinking' },
  ])
    expect(anthropic.blockSchema.safeParse(damaged).success).toBe(false);
});
