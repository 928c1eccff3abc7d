import { CollabError } from '../../errors/collab-error.ts';
import type { ProviderEvent, ProviderUsage } from './provider-event.ts';
import { toError } from './client-failure.ts';

export interface ClientCall {
  readonly tool_call_id: string;
  readonly function_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A whole answer: the result of `sendRequest` unless an author overrides it. */
export interface ClientResponse {
  readonly text: string;
  readonly thinking: string;
  readonly tool_calls: readonly ClientCall[];
  readonly usage: ProviderUsage | null;
  readonly model: string | null;
  readonly stop_reason: string | null;
  readonly opaque: readonly unknown[];
}

/** @throws ValueError, APIError for a failed call; CollabError `cancelled` for an aborted one */
export async function foldStream(stream: AsyncIterable<ProviderEvent>): Promise<ClientResponse> {
  let thinking = '';
  const calls: ClientCall[] = [];
  for await (const event of stream) {
    switch (event.type) {
      case 'thinking_chunk':
        thinking += event.text;
        break;
      case 'function_call_start':
        calls.push({
          tool_call_id: event.tool_call_id ?? `call_${calls.length + 1}`,
          function_name: event.function_name,
          arguments: event.args,
        });
        break;
      case 'error':
        throw toError(event);
      case 'aborted':
        throw new CollabError('cancelled', 'the request was aborted');
      case 'complete':
        return {
          text: event.text,
          thinking,
          tool_calls: calls,
          usage: event.usage ?? null,
          model: event.model ?? null,
          stop_reason: event.stop_reason ?? null,
          opaque: event.opaque ?? [],
        };
      default:
        break;
    }
  }
  throw new CollabError('internal', 'the stream had no last event');
}

/** Replays a whole answer as a stream. */
export async function* replayResponse(response: ClientResponse): AsyncGenerator<ProviderEvent, void, void> {
  const { text, thinking, tool_calls, usage, model, stop_reason, opaque } = response;
  if (thinking !== '') yield { type: 'thinking_chunk', text: thinking };
  if (text !== '') yield { type: 'text_chunk', text, is_follow_up: false };
  for (const { tool_call_id, function_name, arguments: args } of tool_calls) {
    yield { type: 'function_call_start', function_name, tool_name: function_name, args, tool_call_id };
  }
  yield {
    type: 'complete',
    text,
    usage: usage ?? undefined,
    model: model ?? undefined,
    stop_reason: stop_reason ?? undefined,
    opaque,
  };
}

export function isClientResponse(value: unknown): value is ClientResponse {
  return value !== null && typeof value === 'object' && 'tool_calls' in value && 'text' in value;
}
