import { expect, test } from 'vitest';
import { z } from 'zod';
import { ValueError } from '../../errors/provider-error.ts';
import type { ModelRequest } from '../contract/model.ts';
import { buildRequest } from './build-request.ts';

const cached = { cache_control: { type: 'ephemeral' } };
const tool = {
  description: 'looks',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
};
const toolSchema = z.custom<ModelRequest['tools'][number]>();

function bodyOf(request: Partial<ModelRequest>, model = 'claude-sonnet-4') {
  return buildRequest(model, { system: '', tools: [], toolChoice: 'auto', messages: [], ...request });
}

test('a bare request has neither a system text nor tools', () => {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'hello' }] }];
  expect(bodyOf({ messages })).toEqual({
    max_tokens: 32_000,
    model: 'claude-sonnet-4',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hello', ...cached }] }],
  });
});

test('the system text, the last tool and the last message have cache marks', () => {
  const body = bodyOf({
    system: 'Be brief.',
    tools: ['look', 'find'].map((name) => toolSchema.parse({ ...tool, name })),
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', args: { at: 'a' } }] },
      { role: 'user', parts: [{ type: 'tool_result', id: 'c1', content: '', is_error: true }] },
    ],
  });
  const { parameters, ...others } = tool;
  expect(body).toEqual({
    max_tokens: 32_000,
    model: 'claude-sonnet-4',
    system: [{ type: 'text', text: 'Be brief.', ...cached }],
    tools: [
      { ...others, name: 'look', input_schema: parameters },
      { ...others, name: 'find', input_schema: parameters, ...cached },
    ],
    tool_choice: { type: 'auto' },
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { at: 'a' } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: [], is_error: true, ...cached }],
      },
    ],
  });
});

test('images and PDF files are sent in their own forms, without a cache mark; other media are refused', () => {
  for (const media_type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
    expect(contentOf(media_type)).toEqual([
      { type: 'image', source: { type: 'base64', media_type, data: 'AA==' } },
    ]);
  expect(contentOf('application/pdf')).toEqual([
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' }, title: 'a' },
  ]);
  expect(() => contentOf('image/tiff')).toThrow(ValueError);
});

test('parameters of the caller win over the limit, never over the model', () => {
  const parameters = { temperature: 0, extra: { max_tokens: 5, model: 'other', top_k: 1 } };
  expect(bodyOf({ parameters })).toMatchObject({
    max_tokens: 5,
    model: 'claude-sonnet-4',
    temperature: 0,
    top_k: 1,
  });
});

test('a budget of tokens asks for thinking, none and zero do not', () => {
  expect([thinkingOf(2048), thinkingOf(0), thinkingOf()]).toEqual([
    { type: 'enabled', budget_tokens: 2048 },
    undefined,
    undefined,
  ]);
});

const contentOf = (mimeType: string) => {
  const media = { type: 'media', kind: 'image', mime_type: mimeType, data: 'AA==', name: 'a' } as const;
  return bodyOf({ messages: [{ role: 'user', parts: [media] }] }).messages[0]?.content;
};

const thinkingOf = (thinkingBudget?: number) =>
  bodyOf({ parameters: thinkingBudget === undefined ? {} : { thinkingBudget } }).thinking;
