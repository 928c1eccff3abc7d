/** Translates our history into a request of the Responses API (`openai` 6.49). Pure. */
import type {
  EasyInputMessage,
  FunctionTool,
  ResponseCreateParamsNonStreaming,
  ResponseInputContent,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { z } from 'zod';
import { ValueError } from '../../errors/provider-error.ts';
import { encodeToolName } from '../../tools/definition/tool-name.ts';
import type { HeardPart, MediaPart, ModelMessage, ModelRequest, SaidPart } from '../contract/model.ts';
import { refuseBudget } from './refuse-budget.ts';
import type { ITool } from '../../tools/definition/interfaces.ts';

/** Builds the request. The API stores nothing: it returns thoughts sealed, and the next request contains them. */
export function buildResponsesRequest(
  model: string,
  { system, tools, toolChoice, messages, parameters = {} }: ModelRequest,
): Omit<ResponseCreateParamsNonStreaming, 'stream'> {
  refuseBudget(model, parameters, "{ reasoning: { effort: 'low' } }");
  return {
    ...parameters.extra,
    model,
    store: false,
    ...(system === '' ? {} : { instructions: system }),
    input: messages.flatMap(itemsOf),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf), tool_choice: toolChoice }),
    ...(parameters.temperature === undefined ? {} : { temperature: parameters.temperature }),
    ...(thinks(model) ? { include: ['reasoning.encrypted_content'] } : {}),
  };
}

/** Returns true if the model thinks; one that does not refuses a request for its thoughts. */
function thinks(model: string): boolean {
  return /^(?:o\d|gpt-[5-9])/.test(model) && !model.includes('-chat');
}

/** Describes a tool; `strict` would refuse every schema that has an optional field. */
function toolOf({ name, description, parameters }: ITool): FunctionTool {
  return {
    type: 'function',
    name: encodeToolName(name),
    description,
    parameters: { ...parameters },
    strict: false,
  };
}

function itemsOf(message: ModelMessage): readonly ResponseInputItem[] {
  return message.role === 'assistant' ? message.parts.flatMap(saidItem) : heardItems(message.parts);
}

function saidItem(part: SaidPart): readonly ResponseInputItem[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ role: 'assistant', content: part.text }];
    case 'tool_call': {
      const { id, name, args } = part;
      return [
        { type: 'function_call', call_id: id, name: encodeToolName(name), arguments: JSON.stringify(args) },
      ];
    }
    case 'opaque':
      return [reasoningSchema.parse(part.value)];
  }
}

/** A sealed thought, sent back unchanged; without the seal the API would search its own storage, which is empty. */
export const reasoningSchema = z.object({
  type: z.literal('reasoning'),
  id: z.string(),
  summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string(),
});

function heardItems(parts: readonly HeardPart[]): readonly ResponseInputItem[] {
  const results = parts.flatMap((part): readonly ResponseInputItem[] =>
    part.type === 'tool_result'
      ? [{ type: 'function_call_output', call_id: part.id, output: part.content }]
      : [],
  );
  const content = parts.flatMap(contentOf);
  const said: readonly EasyInputMessage[] = content.length === 0 ? [] : [{ role: 'user', content }];
  return [...results, ...said];
}

function contentOf(part: HeardPart): ResponseInputContent[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'input_text', text: part.text }];
    case 'media':
      return [mediaOf(part)];
    case 'tool_result':
      return [];
  }
}

/** @throws ValueError for media that the API does not read */
function mediaOf({ kind, mime_type, data, name }: MediaPart): ResponseInputContent {
  const url = `data:${mime_type};base64,${data}`;
  if (kind === 'image') return { type: 'input_image', detail: 'auto', image_url: url };
  if (mime_type === 'application/pdf') return { type: 'input_file', filename: name, file_data: url };
  throw new ValueError(`openai cannot read ${kind} of the type ${mime_type}: ${name}`, {
    hint: 'It reads images and application/pdf.',
  });
}
