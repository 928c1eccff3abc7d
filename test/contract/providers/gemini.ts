import { buildRequest } from '../../../src/providers/gemini/build-request.ts';
import { GeminiClient, geminiProvider } from '../../../src/providers/gemini/gemini_client.ts';
import { geminiRefusal } from '../../upstream/gemini-refusal.ts';
import { startGeminiUpstream } from '../../upstream/gemini-server.ts';
import { base64Of } from './attached-files.ts';
import type { AttachedFile, ProviderFixture } from './fixture.ts';

const user = { role: 'user', parts: [{ text: 'go' }] };
const call = { role: 'model', parts: [{ functionCall: { id: 'a', name: 'look', args: {} } }] };
const result = (id: string) => ({
  role: 'user',
  parts: [{ functionResponse: { id, name: 'look', response: { output: 'seen' } } }],
});
const refusing = (details: readonly object[], message = 'Resource has been exhausted') => ({
  status: 429,
  body: { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } },
});

const inline = (file: AttachedFile, mimeType: string) => ({
  inlineData: { mimeType, data: base64Of(file) },
});

export const gemini: ProviderFixture = {
  name: 'gemini',
  provider: geminiProvider,
  Client: GeminiClient,
  start: (script) => startGeminiUpstream(script, { refusalOf: geminiRefusal }),
  path: 'v1beta/models/gemini-pro-latest:streamGenerateContent?alt=sse',
  usage: { input: 90, output: 20, cache_read: 10, cache_write_5m: 0, cache_write_1h: 0, reasoning: 5 },
  attached: {
    png: inline('png', 'image/png'),
    jpeg: inline('jpeg', 'image/jpeg'),
    gif: inline('gif', 'image/gif'),
    webp: inline('webp', 'image/webp'),
    pdf: inline('pdf', 'application/pdf'),
    wav: inline('wav', 'audio/wav'),
    mp3: inline('mp3', 'audio/mpeg'),
    mp4: inline('mp4', 'video/mp4'),
    webm: inline('webm', 'video/webm'),
  },
  extra: [{ top_p: 0.5, max_output_tokens: 100 }, { generationConfig: { topP: 0.5, maxOutputTokens: 100 } }],
  budget: ['gemini-2.5-pro', { generationConfig: { thinkingConfig: { thinkingBudget: 2048 } } }],
  showsHeaders: false,
  faults: [
    [
      'a delay in the body',
      refusing([{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' }]),
      { kind: 'overloaded', retryAfterMs: 34_070, rateLimited: true },
    ],
    [
      'a quota for the day',
      refusing([{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }]),
      { kind: 'unavailable', code: 'quota' },
    ],
    [
      'a key that is not valid',
      { status: 400, message: 'API key not valid. Please pass a valid API key.' },
      {
        kind: 'unavailable',
        code: 'auth',
        message: 'Gemini: API key not valid. Please pass a valid API key.',
      },
    ],
    [
      'a prompt that is too long',
      {
        status: 400,
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
      { kind: 'timed_out', limit: 'context' },
    ],
    [
      'an overloaded stream',
      { text: 'a long answer', streamError: { type: 'UNAVAILABLE', message: 'Overloaded' } },
      { kind: 'overloaded', message: 'Overloaded', retryAfterMs: null },
    ],
    [
      'a refused stream',
      { text: 'a long answer', streamError: { type: 'PERMISSION_DENIED', message: 'no' } },
      { kind: 'unavailable', code: 'auth' },
    ],
    ['the filter', { text: 'half', stopReason: 'SAFETY' }, { kind: 'empty' }],
    ['a prompt that is blocked', { stopReason: 'BLOCKED' }, { kind: 'empty' }],
    ['a call that is none', { stopReason: 'MALFORMED_FUNCTION_CALL' }, { kind: 'cut' }],
    [
      'the limit of tokens',
      { text: 'half of it', stopReason: 'MAX_TOKENS' },
      { kind: 'said', parts: [{ type: 'text', text: 'half of it' }], stopReason: 'max_tokens' },
    ],
  ],
  convert: (messages) => {
    const { contents, config } = buildRequest(
      'gemini-pro-latest',
      { system: 'Be brief.', tools: [], toolChoice: 'auto', messages },
      { thinks: true },
    );
    return { contents, systemInstruction: { parts: [{ text: config?.systemInstruction }] } };
  },
  refusalOf: geminiRefusal,
  refused: {
    'no content': { contents: [] },
    'a system content': { contents: [{ role: 'system', parts: [{ text: 'Be brief.' }] }, user] },
    'an assistant of another vendor': {
      contents: [user, { role: 'assistant', parts: [{ text: 'Hello.' }] }],
    },
    'an empty content': { contents: [{ role: 'user', parts: [] }] },
    'an empty text': { contents: [{ role: 'user', parts: [{ text: '' }] }] },
    'an empty system text': { systemInstruction: { parts: [{ text: '' }] }, contents: [user] },
    'a call first': { contents: [call, result('a')] },
    'a call without an answer': { contents: [user, call, user] },
    'a call at the end': { contents: [user, call] },
    'an answer to an unknown call': { contents: [user, call, result('b')] },
    'an answer without a call': { contents: [user, result('a')] },
    'a function with a space': { tools: [{ functionDeclarations: [{ name: 'fs read' }] }], contents: [user] },
  },
};
