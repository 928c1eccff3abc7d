import { buildResponsesRequest } from '../../../src/providers/openai/responses-request.ts';
import type { AiClientOptions } from '../../../src/providers/client/ai-client.ts';
import { OpenAIClient, openaiProvider } from '../../../src/providers/openai/openai_client.ts';
import type { MessagesStep } from '../../upstream/messages-steps.ts';
import { responsesRefusal } from '../../upstream/responses-refusal.ts';
import { startUpstream } from '../../upstream/responses-server.ts';
import type { Step } from '../../upstream/steps.ts';
import { dataUrl } from './attached-files.ts';
import type { ProviderFixture } from './fixture.ts';
import { openaiFaults, openaiUsage } from './openai-faults.ts';

const user = { role: 'user', content: [{ type: 'input_text', text: 'go' }] };
const call = { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' };
const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'seen' });

const settings = { 'openai.api': 'responses' };

/** With a custom address the client uses the other interface. */
class ResponsesClient extends OpenAIClient {
  constructor(options: AiClientOptions = {}) {
    super({ ...options, api: 'responses' });
  }
}

const picture = (kind: 'png' | 'jpeg' | 'gif' | 'webp') => ({
  type: 'input_image',
  detail: 'auto',
  image_url: dataUrl(kind, `image/${kind}`),
});

export const openaiResponses: ProviderFixture = {
  name: 'openai over responses',
  provider: openaiProvider,
  Client: ResponsesClient,
  settings,
  start: (script) => startUpstream((request) => stepOf(script(request)), { refusalOf: responsesRefusal }),
  path: 'responses',
  usage: openaiUsage,
  attached: {
    png: picture('png'),
    jpeg: picture('jpeg'),
    gif: picture('gif'),
    webp: picture('webp'),
    pdf: { type: 'input_file', filename: 'a.file', file_data: dataUrl('pdf', 'application/pdf') },
    wav: 'cannot read audio',
    mp3: 'cannot read audio',
    mp4: 'cannot read video',
    webm: 'cannot read video',
  },
  extra: [
    { max_output_tokens: 100, reasoning: { effort: 'low' } },
    { max_output_tokens: 100, reasoning: { effort: 'low' } },
  ],
  budget: null,
  showsHeaders: true,
  faults: openaiFaults('max_output_tokens'),
  convert: (messages) =>
    buildResponsesRequest('gpt-5', { system: 'Be brief.', tools: [], toolChoice: 'auto', messages }),
  refusalOf: responsesRefusal,
  refused: {
    'no item': { input: [] },
    'a system message': { input: [{ role: 'system', content: 'Be brief.' }, user] },
    'an empty message': { input: [{ role: 'user', content: [] }] },
    'an empty text': { input: [user, { role: 'assistant', content: '' }] },
    'words of the wrong side': { input: [{ role: 'user', content: [{ type: 'output_text', text: 'go' }] }] },
    'a call without an answer': { input: [user, call, user] },
    'an answer to an unknown call': { input: [user, call, result('b')] },
    'an answer before its call': { input: [user, result('a'), call] },
    'thoughts without a seal': { input: [user, { type: 'reasoning', id: 'rs_1', summary: [] }, user] },
    'a tool with a dot': { tools: [{ type: 'function', name: 'fs.read' }], input: [user] },
  },
};

/** The same step in the form of the other scripted server. */
export function stepOf(step: MessagesStep): Step {
  const { gate } = step;
  const own = gate === undefined ? {} : { gate };
  if ('status' in step) {
    const { status, headers, type, message, body } = step;
    const error = {
      message: message ?? `scripted ${status}`,
      type: 'scripted',
      code: type ?? null,
      param: null,
    };
    return { ...own, status, body: body ?? { error }, ...(headers === undefined ? {} : { headers }) };
  }
  if ('hang' in step && step.hang === 'headers') return { ...own, hang: 'headers' };
  if ('reset' in step) return { ...own, reset: true };
  const { thinking, text, tools, stopReason, cut, endEarly, streamError, hang, midway } = step;
  return {
    ...own,
    ...(thinking === undefined ? {} : { reasoning: thinking, streamsReasoning: true as const }),
    ...(text === undefined ? {} : { text }),
    ...(tools === undefined
      ? {}
      : { calls: tools.map(({ input, ...tool }) => ({ ...tool, arguments: input })) }),
    ...(stopReason === undefined ? {} : { incomplete: stopReason }),
    ...(cut === undefined ? {} : { cut }),
    ...(endEarly === undefined ? {} : { endEarly }),
    ...(streamError === undefined
      ? {}
      : { failsMidway: { code: streamError.type, message: streamError.message } }),
    ...(hang === undefined ? {} : { hang }),
    ...(midway === undefined ? {} : { midway }),
  };
}
