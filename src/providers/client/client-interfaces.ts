/** Implements specification 004 on specification 003's stream: the agent's memory as a history, the answer in pieces. */
import { randomUUID } from 'node:crypto';
import { CollabError } from '../../errors/collab-error.ts';
import {
  AgentPainException,
  type IAgentContext,
  type ProviderPiece,
} from '../../tools/definition/interfaces.ts';
import type { ProviderEvent } from './provider-event.ts';
import { messagesOf } from '../history/agent-memory.ts';
import type { StreamOptions } from './ai-client.ts';
import { toError } from './client-failure.ts';
import { toHistory, type HistoryNames } from '../history/messages-history.ts';

export function toRequest(
  prompt: string,
  { tools, memory = [], system, signal }: IAgentContext,
  names: HistoryNames,
): StreamOptions {
  return {
    modelId: names.model,
    history: toHistory(messagesOf(memory, warn), names),
    currentTextInput: prompt,
    currentFilePaths: [],
    tools: [...tools.values()],
    ...(system === undefined ? {} : { systemPrompt: system }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  };
}

/** Node prints it; a program that uses the library may listen for it. */
function warn(text: string): void {
  process.emitWarning(text, 'CollabWarning');
}

/**
 * Streams the answer: its text is one segment, before the calls.
 * @throws AgentPainException for a failed call, with the event in `raw`; CollabError `cancelled` for an aborted one
 */
export async function* toPieces(
  stream: AsyncIterable<ProviderEvent>,
): AsyncGenerator<ProviderPiece, void, void> {
  let calls = 0;
  for await (const event of stream) {
    switch (event.type) {
      case 'text_chunk':
        yield { type: 'text_delta', index: 0, text: event.text };
        break;
      case 'function_call_start': {
        calls += 1;
        const { tool_call_id: id = randomUUID(), function_name: name, args } = event;
        yield { type: 'segment', index: calls, segment: { type: 'tool_call', toolCall: { id, name, args } } };
        break;
      }
      case 'error':
        throw new AgentPainException(event.error, { cause: toError(event), raw: event });
      case 'aborted':
        throw new CollabError('cancelled', 'the request was aborted');
      case 'complete': {
        const { usage = null, model = null, stop_reason = null, opaque = [] } = event;
        const kept = opaque.map((value, at) => ({ at, value }));
        yield {
          type: 'metadata',
          metadata: { usage, model, stop_reason, ...(kept.length === 0 ? {} : { opaque: kept }) },
        };
        return;
      }
      default:
        break;
    }
  }
}
