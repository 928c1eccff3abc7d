import type { Fault, ProviderFixture } from './fixture.ts';

/** Faults of both interfaces, which name the limit of an answer differently. */
export const openaiFaults = (limit: string): readonly Fault[] => [
  ['the filter', { text: 'half', stopReason: 'content_filter' }, { kind: 'empty' }],
  [
    'the limit of tokens',
    { text: 'half of it', stopReason: limit },
    { kind: 'said', parts: [{ type: 'text', text: 'half of it' }], stopReason: 'max_tokens' },
  ],
  [
    'a spent quota',
    { status: 429, type: 'insufficient_quota', message: 'You exceeded your current quota' },
    { kind: 'unavailable', code: 'quota' },
  ],
  [
    'a prompt that is too long',
    { status: 400, type: 'context_length_exceeded', message: 'too long' },
    { kind: 'timed_out', limit: 'context' },
  ],
  [
    'a prompt that another server finds too long',
    { status: 400, message: "This model's maximum context length is 4096 tokens" },
    { kind: 'timed_out', limit: 'context' },
  ],
  [
    'an unknown model with another status',
    { status: 400, type: 'model_not_found' },
    { kind: 'unavailable', code: 'model' },
  ],
  [
    'a path that is not there',
    { status: 404, message: 'no route' },
    { kind: 'unavailable', code: 'options' },
  ],
  ['a filtered prompt', { status: 400, type: 'content_filter' }, { kind: 'empty' }],
  [
    'an overloaded stream',
    { text: 'a long answer', streamError: { type: 'server_error', message: 'Overloaded' } },
    { kind: 'overloaded', message: 'Overloaded', retryAfterMs: null },
  ],
  [
    'a stream that ends with a spent quota',
    { text: 'a long answer', streamError: { type: 'insufficient_quota', message: 'no' } },
    { kind: 'unavailable', code: 'quota' },
  ],
];

export const openaiUsage: ProviderFixture['usage'] = {
  input: 90,
  output: 20,
  cache_read: 10,
  cache_write_5m: 0,
  cache_write_1h: 0,
  reasoning: 5,
};
