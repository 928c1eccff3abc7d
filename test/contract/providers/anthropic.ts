import { buildRequest } from '../../../src/providers/anthropic/build-request.ts';
import { AnthropicClient, anthropicProvider } from '../../../src/providers/anthropic/anthropic_client.ts';
import { messagesRefusal } from '../../upstream/messages-refusal.ts';
import { startMessagesUpstream } from '../../upstream/messages-server.ts';
import { base64Of } from './attached-files.ts';
import type { ProviderFixture } from './fixture.ts';

const user = { role: 'user', content: [{ type: 'text', text: 'go' }] };
const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] };
const result = (id: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'seen' }],
});

const picture = (kind: 'png' | 'jpeg' | 'gif' | 'webp') => ({
  type: 'image',
  source: { type: 'base64', media_type: `image/${kind}`, data: base64Of(kind) },
});

export const anthropic: ProviderFixture = {
  name: 'anthropic',
  provider: anthropicProvider,
  Client: AnthropicClient,
  start: (script) => startMessagesUpstream(script, { refusalOf: messagesRefusal }),
  path: 'v1/messages',
  usage: { input: 120, output: 34, cache_read: 2000, cache_write_5m: 1000, cache_write_1h: 0, reasoning: 0 },
  attached: {
    png: picture('png'),
    jpeg: picture('jpeg'),
    gif: picture('gif'),
    webp: picture('webp'),
    pdf: {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: base64Of('pdf') },
      title: 'a.file',
    },
    wav: 'cannot read audio',
    mp3: 'cannot read audio',
    mp4: 'cannot read video',
    webm: 'cannot read video',
  },
  extra: [
    { stop_sequences: ['END'], output_config: { effort: 'low' } },
    { stop_sequences: ['END'], output_config: { effort: 'low' } },
  ],
  budget: ['claude-haiku-4-5', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
  showsHeaders: true,
  faults: [
    [
      'spent credit',
      { status: 400, message: 'Your credit balance is too low' },
      { kind: 'unavailable', code: 'quota' },
    ],
    [
      'a prompt that is too long',
      { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      { kind: 'timed_out', limit: 'context' },
    ],
    [
      'an overloaded stream',
      { text: 'a long answer', streamError: { type: 'overloaded_error', message: 'Overloaded' } },
      { kind: 'overloaded', message: 'Overloaded', retryAfterMs: null },
    ],
    [
      'a refused stream',
      { text: 'a long answer', streamError: { type: 'permission_error', message: 'no' } },
      { kind: 'unavailable', code: 'auth' },
    ],
    ['a refusal', { text: '', stopReason: 'refusal' }, { kind: 'empty' }],
    [
      'a full context',
      { text: 'half', stopReason: 'model_context_window_exceeded' },
      { kind: 'timed_out', limit: 'context' },
    ],
    [
      'the limit of tokens',
      { text: 'half of it', stopReason: 'max_tokens' },
      { kind: 'said', parts: [{ type: 'text', text: 'half of it' }], stopReason: 'max_tokens' },
    ],
  ],
  convert: (messages) =>
    buildRequest('claude-opus-5-5', { system: 'Be brief.', tools: [], toolChoice: 'auto', messages }),
  refusalOf: messagesRefusal,
  refused: {
    'no message': { messages: [] },
    'an assistant first': { messages: [{ role: 'assistant', content: 'Hello.' }] },
    'a system message': { messages: [{ role: 'system', content: 'Be brief.' }, user] },
    'an empty message': { messages: [{ role: 'user', content: [] }] },
    'an empty text': { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    'a call without an answer': { messages: [user, call, user] },
    'a call at the end': { messages: [user, call] },
    'an answer to an unknown call': { messages: [user, call, result('b')] },
    'an answer without a call': { messages: [result('a')] },
    'an empty system text': { system: [{ type: 'text', text: '' }], messages: [user] },
    'a tool with a dot': { tools: [{ name: 'fs.read', input_schema: { type: 'object' } }], messages: [user] },
  },
};
