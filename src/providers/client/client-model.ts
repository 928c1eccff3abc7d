/** Wraps a client of specification 003 as a bare model, of which the loop makes an agent. */
import { z } from 'zod';
import { isTransient } from '../../errors/provider-error.ts';
import type { FunctionCallStart, ProviderEvent, ProviderFailure } from './provider-event.ts';
import type { AiClient, StreamOptions } from './ai-client.ts';
import { createBlocks } from './blocks.ts';
import { failureCode } from './client-failure.ts';
import type { AgentIdentity } from '../contract/contract.ts';
import { lawfulStream } from './lawful-stream.ts';
import { toHistory } from '../history/messages-history.ts';
import type { Model, ModelEnd, ModelMessage, ModelReply, ModelTurn, SaidPart } from '../contract/model.ts';
import { toUsage, type Pricing } from '../profiles/pricing.ts';

/** The methods used of a client, which may be a class that extends none of ours. */
export type StreamingClient = Pick<AiClient, 'sendRequestStream'> & Partial<Pick<AiClient, 'abortStreaming'>>;

export interface ClientModelOptions {
  readonly client: StreamingClient;
  /** The provider's name. */
  readonly name: string;
  readonly modelId: string;
  /** If absent, the cost of a call is unknown. */
  readonly pricing?: Pricing | undefined;
  readonly identity: AgentIdentity;
  /** A stream that the client has already started: the first turn reads it and sends nothing. */
  readonly begun?: AsyncIterable<ProviderEvent>;
}

export function createClientModel(options: ClientModelOptions): Model {
  const { client, name, modelId, identity, begun } = options;
  let first = begun ?? null;
  return {
    identity,
    async turn(request) {
      request.signal.throwIfAborted();
      const source = first ?? client.sendRequestStream(requestOf(request, name, modelId));
      first = null;
      const reply = await hear(
        lawfulStream(() => source, request.signal),
        request,
        options,
      );
      request.signal.throwIfAborted();
      return reply;
    },
    close: async () => client.abortStreaming?.(),
  };
}

/** Builds the request. If the last message is only the user's text, it is the input, and the rest is history. */
function requestOf(
  { system, messages, tools, toolChoice, parameters = {}, signal }: ModelTurn,
  platform: string,
  modelId: string,
): StreamOptions {
  const input = inputIn(messages.at(-1));
  const before = input === null ? messages : messages.slice(0, -1);
  return {
    modelId,
    history: toHistory(before, { model: modelId, platform, conversationId: platform }),
    currentTextInput: input ?? '',
    currentFilePaths: [],
    ...parameters,
    ...(tools.length === 0 || toolChoice === 'none' ? {} : { tools }),
    ...(system === '' ? {} : { systemPrompt: system }),
    abortSignal: signal,
  };
}

function inputIn(message: ModelMessage | undefined): string | null {
  if (message?.role !== 'user') return null;
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === message.parts.length ? texts.join('\n\n') : null;
}

async function hear(
  stream: AsyncIterable<ProviderEvent>,
  { say }: ModelTurn,
  { name, modelId, pricing }: ClientModelOptions,
): Promise<ModelReply> {
  const blocks = createBlocks(say);
  const calls: FunctionCallStart[] = [];
  for await (const event of stream) {
    switch (event.type) {
      case 'text_chunk':
        blocks.say('text', event.text);
        break;
      case 'thinking_chunk':
        blocks.say('thinking', event.text);
        break;
      case 'function_call_start':
        blocks.end();
        calls.push(event);
        break;
      case 'complete': {
        blocks.end();
        const { usage, model = modelId, opaque = [], stop_reason } = event;
        return {
          end: saidOf(event.text, calls, opaque, stop_reason ?? null),
          usage: usage === undefined ? null : toUsage(usage, model, pricing),
        };
      }
      case 'error':
        return { end: failureOf(event, name), usage: null };
      default:
        say({ kind: 'alive' });
        break;
    }
  }
  return { end: { kind: 'cut', message: 'the answer was aborted' }, usage: null };
}

function saidOf(
  text: string,
  calls: readonly FunctionCallStart[],
  opaque: readonly unknown[],
  stopReason: string | null,
): ModelEnd {
  const parts: readonly SaidPart[] = [
    ...opaque.map((value): SaidPart => ({ type: 'opaque', value: z.json().parse(value) })),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ tool_call_id, function_name, args }, index): SaidPart => ({
      type: 'tool_call',
      id: tool_call_id ?? `call_${index + 1}`,
      name: function_name,
      args: z.json().parse(args),
    })),
  ];
  return { kind: 'said', parts, stopReason: stopReason ?? (calls.length > 0 ? 'tool_use' : null) };
}

function failureOf(failure: ProviderFailure, name: string): ModelEnd {
  const { error: message, retry_after, retryable } = failure;
  const code = failureCode(failure);
  switch (code) {
    case 'context_limit':
      return { kind: 'timed_out', limit: 'context', message };
    case 'network':
      return { kind: 'cut', message };
    case 'auth':
    case 'model':
    case 'options':
    case 'cli_missing':
      return {
        kind: 'unavailable',
        code,
        message: `${name}: ${message}`,
        hint: `see what ${name} needs: collab provider list`,
      };
    default:
      return (retryable ?? isTransient(code))
        ? { kind: 'overloaded', message, retryAfterMs: retry_after === undefined ? null : retry_after * 1000 }
        : {
            kind: 'unavailable',
            code: 'internal',
            message: `${name}: ${message}`,
            hint: `See the provider ${name}.`,
          };
  }
}
