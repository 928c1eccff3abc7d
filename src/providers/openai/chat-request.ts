/** Translates our history into a request of Chat Completions (`openai` 6.49). Pure. */
import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { ValueError } from '../../errors/provider-error.ts';
import { encodeToolName } from '../../tools/definition/tool-name.ts';
import type { HeardPart, MediaPart, ModelMessage, ModelRequest, SaidPart } from '../contract/model.ts';
import { refuseBudget } from './refuse-budget.ts';
import type { ITool } from '../../tools/definition/interfaces.ts';

/** Builds the request. It has no cache marks: such a server manages its cache itself. */
export function buildChatRequest(
  model: string,
  { system, tools, toolChoice, messages, parameters = {} }: ModelRequest,
): Omit<ChatCompletionCreateParamsNonStreaming, 'stream'> {
  refuseBudget(model, parameters, "{ reasoning_effort: 'low' }");
  return {
    ...parameters.extra,
    model,
    // OpenAI's own name is `developer`; it treats both the same.
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...messages.flatMap(messagesOf),
    ],
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf), tool_choice: toolChoice }),
    ...(parameters.temperature === undefined ? {} : { temperature: parameters.temperature }),
  };
}

function toolOf({ name, description, parameters }: ITool): ChatCompletionFunctionTool {
  return {
    type: 'function',
    function: { name: encodeToolName(name), description, parameters: { ...parameters } },
  };
}

function messagesOf(message: ModelMessage): readonly ChatCompletionMessageParam[] {
  return message.role === 'assistant' ? assistantMessage(message.parts) : heardMessages(message.parts);
}

/** Leaves out thoughts: a server that sends them refuses to receive them. */
function assistantMessage(parts: readonly SaidPart[]): readonly ChatCompletionMessageParam[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call'
      ? [
          {
            id: part.id,
            type: 'function' as const,
            function: { name: encodeToolName(part.name), arguments: JSON.stringify(part.args) },
          },
        ]
      : [],
  );
  if (text === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

/** Puts each result into a message of its own, after the calls and before everything else. */
function heardMessages(parts: readonly HeardPart[]): readonly ChatCompletionMessageParam[] {
  const results = parts.flatMap((part): readonly ChatCompletionMessageParam[] =>
    part.type === 'tool_result' ? [{ role: 'tool', tool_call_id: part.id, content: part.content }] : [],
  );
  const content = parts.flatMap(contentOf);
  return [...results, ...(content.length === 0 ? [] : [{ role: 'user' as const, content }])];
}

function contentOf(part: HeardPart): ChatCompletionContentPart[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'media':
      return [mediaOf(part)];
    case 'tool_result':
      return [];
  }
}

/** @throws ValueError for media that the API does not read */
function mediaOf({ kind, mime_type, data, name }: MediaPart): ChatCompletionContentPart {
  const url = `data:${mime_type};base64,${data}`;
  if (kind === 'image') return { type: 'image_url', image_url: { url } };
  if (mime_type === 'application/pdf') return { type: 'file', file: { filename: name, file_data: url } };
  const format = soundFormats[mime_type];
  if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
  throw new ValueError(`openai cannot read ${kind} of the type ${mime_type}: ${name}`, {
    hint: 'It reads images, application/pdf, audio/wav and audio/mpeg.',
  });
}

const soundFormats: Readonly<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};
