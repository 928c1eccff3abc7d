import { buildChatRequest } from '../../../src/providers/openai/chat-request.ts';
import { OpenAIClient, openaiProvider } from '../../../src/providers/openai/openai_client.ts';
import { chatRefusal } from '../../upstream/chat-refusal.ts';
import { startChatUpstream } from '../../upstream/chat-server.ts';
import { dataUrl } from './attached-files.ts';
import type { ProviderFixture } from './fixture.ts';
import { openaiFaults, openaiUsage } from './openai-faults.ts';

const user = { role: 'user', content: 'go' };
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
};
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'seen' });

const picture = (kind: 'png' | 'jpeg' | 'gif' | 'webp') => ({
  type: 'image_url',
  image_url: { url: dataUrl(kind, `image/${kind}`) },
});

export const openaiChat: ProviderFixture = {
  name: 'openai over chat completions',
  provider: openaiProvider,
  Client: OpenAIClient,
  start: (script) => startChatUpstream(script, { refusalOf: chatRefusal }),
  path: 'chat/completions',
  usage: openaiUsage,
  attached: {
    png: picture('png'),
    jpeg: picture('jpeg'),
    gif: picture('gif'),
    webp: picture('webp'),
    pdf: { type: 'file', file: { filename: 'a.file', file_data: dataUrl('pdf', 'application/pdf') } },
    wav: 'cannot read audio',
    mp3: 'cannot read audio',
    mp4: 'cannot read video',
    webm: 'cannot read video',
  },
  extra: [{ max_output_tokens: 100 }, { max_output_tokens: 100 }],
  budget: null,
  showsHeaders: true,
  faults: openaiFaults('length'),
  convert: (messages) =>
    buildChatRequest('gpt-5', { system: 'Be brief.', tools: [], toolChoice: 'auto', messages }),
  refusalOf: chatRefusal,
  refused: {
    'no message': { messages: [] },
    'a system message in the middle': { messages: [user, { role: 'system', content: 'Be brief.' }] },
    'an empty message': { messages: [{ role: 'user', content: [] }] },
    'an assistant that says nothing': { messages: [user, { role: 'assistant', content: null }] },
    'an empty text': { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    'a call without an answer': { messages: [user, call, user] },
    'a call at the end': { messages: [user, call] },
    'an answer to an unknown call': { messages: [user, call, result('b')] },
    'an answer without a call': { messages: [user, result('a')] },
    'an answer behind another word': { messages: [user, call, user, result('a')] },
    'an unknown role': { messages: [{ role: 'model', content: 'go' }] },
    'a tool with a dot': { tools: [{ type: 'function', function: { name: 'fs.read' } }], messages: [user] },
  },
};
