/** Specification 004's `generate` over specification 003's stream: the agent's memory as a history, the answer as segments. */
import type { ContentSegment, IAgentContext, MemoryEntry, ProviderResponse } from '../tools/interfaces.ts';
import type { StreamOptions } from './ai-client.ts';
import type { ClientResponse } from './fold-stream.ts';
import { toHistory, type HistoryNames } from './messages-history.ts';
import type { ModelMessage, SaidPart } from './model.ts';

export function toRequest(
  prompt: string,
  { tools, memory = [], system, signal }: IAgentContext,
  names: HistoryNames,
): StreamOptions {
  return {
    modelId: names.model,
    history: toHistory(memory.map(messageOf), names),
    currentTextInput: prompt,
    currentFilePaths: [],
    tools: [...tools.values()],
    ...(system === undefined ? {} : { systemPrompt: system }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  };
}

export function toResponse({
  text,
  tool_calls,
  usage,
  model,
  stop_reason,
}: ClientResponse): ProviderResponse {
  const said: ContentSegment[] = text === '' ? [] : [{ type: 'text', text }];
  const calls = tool_calls.map(({ tool_call_id, function_name, arguments: args }): ContentSegment => ({
    type: 'tool_call',
    toolCall: { id: tool_call_id, name: function_name, args },
  }));
  return { segments: [...said, ...calls], metadata: { usage, model, stop_reason } };
}

function messageOf(entry: MemoryEntry): ModelMessage {
  switch (entry.role) {
    case 'user':
      return { role: 'user', parts: [{ type: 'text', text: entry.text }] };
    case 'assistant':
      return { role: 'assistant', parts: entry.segments.flatMap(partOf) };
    case 'tool': {
      const { id, content, isError } = entry;
      return { role: 'user', parts: [{ type: 'tool_result', id, content, is_error: isError }] };
    }
  }
}

/** What a model said in pictures or sounds is not told again: a history has no place for it. */
function partOf({ type, text, toolCall }: ContentSegment): readonly SaidPart[] {
  if (type === 'text' && text !== undefined) return [{ type: 'text', text }];
  if (type !== 'tool_call' || toolCall === undefined) return [];
  return [{ type: 'tool_call', id: toolCall.id ?? '', name: toolCall.name, args: toolCall.args }];
}
