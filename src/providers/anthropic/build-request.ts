/** Translates our history into a request of the Messages API (`@anthropic-ai/sdk` 1.12). Pure. */
import type {
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import { z } from 'zod';
import { ValueError } from '../../errors/provider-error.ts';
import { encodeToolName } from '../../tools/definition/tool-name.ts';
import { argumentsOf } from '../history/messages-history.ts';
import type { MediaPart, ModelMessage, ModelRequest } from '../contract/model.ts';
import type { ITool } from '../../tools/definition/interfaces.ts';

/** The longest answer requested; a stream has no limit below the model's own. */
const maxTokens = 32_000;

/**
 * Builds the request. Three cache marks (after the tools, after the system text and after the last message) tell the API how
 * far to keep its input, so that a turn pays only for new text.
 */
export function buildRequest(
  model: string,
  { system, tools, toolChoice, messages, parameters = {} }: ModelRequest,
): RequestBody {
  return {
    max_tokens: maxTokens,
    ...parameters.extra,
    model,
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...cached }] }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf), tool_choice: { type: toolChoice } }),
    messages: messages.map((message, index) => messageOf(message, index === messages.length - 1)),
    ...(parameters.temperature === undefined ? {} : { temperature: parameters.temperature }),
    ...thinkingOf(model, parameters.thinkingBudget),
  };
}

/** The request body; the caller decides whether to stream it. */
type RequestBody = Omit<MessageCreateParamsNonStreaming, 'stream'>;

function thinkingOf(model: string, budget: number | undefined): Pick<RequestBody, 'thinking'> {
  if (thinksByItself(model)) {
    if (budget !== undefined) throw new ValueError(`${model} measures its own thinking`, effortHint);
    return { thinking: { type: 'adaptive', display: 'summarized' } };
  }
  return budget === undefined || budget === 0 ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}

const effortHint = {
  hint: "Omit thinkingBudget; extra: { output_config: { effort: 'low' } } is its own setting for that.",
};

const cached = { cache_control: { type: 'ephemeral' } } as const;

function toolOf({ name, description, parameters }: ITool, index: number, all: readonly unknown[]): Tool {
  const isLast = index === all.length - 1;
  return {
    name: encodeToolName(name),
    description,
    input_schema: { ...parameters, type: 'object' },
    ...(isLast ? cached : {}),
  };
}

function messageOf({ role, parts }: ModelMessage, isLast: boolean): MessageParam {
  const content = parts.flatMap(blockOf);
  const last = content.at(-1);
  // Only user content may carry a cache mark: thinking blocks take none.
  const markable = isLast && (last?.type === 'text' || last?.type === 'tool_result');
  return { role, content: markable ? [...content.slice(0, -1), { ...last, ...cached }] : content };
}

function blockOf(part: ModelMessage['parts'][number]): readonly ContentBlockParam[] {
  switch (part.type) {
    case 'text':
      return textOf(part.text);
    case 'media':
      return [mediaOf(part)];
    case 'tool_call':
      return [
        { type: 'tool_use', id: part.id, name: encodeToolName(part.name), input: argumentsOf(part.args) },
      ];
    case 'tool_result':
      return [
        {
          type: 'tool_result',
          tool_use_id: part.id,
          content: [...textOf(part.content)],
          is_error: part.is_error,
        },
      ];
    case 'opaque':
      return [thinkingSchema.parse(part.value)];
  }
}

/** @throws ValueError for media that the API does not read */
function mediaOf({ kind, mime_type, data, name }: MediaPart): ContentBlockParam {
  const image = imageTypes.find((type) => type === mime_type);
  if (image !== undefined) return { type: 'image', source: { type: 'base64', media_type: image, data } };
  if (mime_type === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data }, title: name };
  }
  throw new ValueError(`anthropic cannot read ${kind} of the type ${mime_type}: ${name}`, {
    hint: `It reads ${imageTypes.join(', ')} and application/pdf.`,
  });
}

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** Returns no block for an empty text, which the API refuses. */
function textOf(text: string): readonly TextBlockParam[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** A thinking block, sent back unchanged, or the API refuses the message. */
export const thinkingSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
]);

/** Models before 4.6 have no adaptive thinking; a name that is not Anthropic's is unknown. */
function thinksByItself(model: string): boolean {
  const [, major, minor] = /^claude-[a-z]+-(\d+)(?:-(\d)(?!\d))?/.exec(model) ?? [];
  return major !== undefined && (Number(major) >= 5 || (Number(major) === 4 && Number(minor ?? 0) >= 6));
}
