/** Wraps a third-party `IProvider` as a bare model, of which the loop makes an agent. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { usageSchema } from '../../events/collab-event.ts';
import {
  AgentPainException,
  type ContentSegment,
  type IProvider,
  type ITool,
  type ProviderPiece,
  type ProviderResponse,
} from '../../tools/definition/interfaces.ts';
import { memoryOf } from '../history/agent-memory.ts';
import { foreignSegments, ownSegments, type Segment } from './agent-segments.ts';
import type { AgentIdentity } from '../contract/contract.ts';
import { foldPieces } from './fold-pieces.ts';
import type { Model, ModelEnd, ModelReply, ModelTurn, SaidPart } from '../contract/model.ts';

export interface AgentModelOptions {
  readonly provider: IProvider;
  readonly identity: AgentIdentity;
  /**
   * Receives a warning about each dropped part of an answer; null for our own providers, whose malformed answer fails as a
   * whole.
   */
  readonly warn: ((warning: string) => void) | null;
}

export function modelOf({ provider, identity, warn }: AgentModelOptions): Model {
  return {
    identity,
    async turn(request) {
      request.signal.throwIfAborted();
      try {
        return await ask(provider, request, (segments) => {
          if (warn === null) return ownSegments(segments);
          return foreignSegments(segments, (warning) => warn(`${provider.name}: ${warning}`));
        });
      } catch (error) {
        request.signal.throwIfAborted();
        return { end: failureOf(provider.name, error), usage: null };
      }
    },
    close: async () => {},
  };
}

async function ask(
  provider: IProvider,
  request: ModelTurn,
  check: (segments: ContentSegment[]) => readonly Segment[],
): Promise<ModelReply> {
  const { system, messages, tools, toolsId, toolChoice, signal } = request;
  const { prompt, memory } = memoryOf(messages);
  const blocks = createBlocks(request.say);
  const context = {
    tools: new Map(tools.map((tool): [string, ITool] => [tool.name, tool])),
    ...(toolsId === undefined ? {} : { toolsId }),
    memory,
    system,
    toolChoice,
    signal,
  };
  const response: ProviderResponse =
    provider.stream === undefined
      ? await provider.generate(prompt, context)
      : await foldPieces(listen(provider.stream(prompt, context), (index, text) => blocks.hear(index, text)));
  signal.throwIfAborted();
  const segments = check(response?.segments);
  const parts = segments.map((segment) => partOf(segment));
  blocks.end(segments);
  const metadata = z.json().safeParse(response?.metadata).data;
  const { usage, stop_reason: stopReason } = told(metadata);
  const kept: readonly SaidPart[] =
    metadata === undefined ? [] : [{ type: 'opaque', value: { kept_metadata: metadata } }];
  return { end: { kind: 'said', parts: [...parts, ...kept], stopReason }, usage };
}

async function* listen(
  pieces: AsyncIterable<ProviderPiece>,
  hear: (index: number, text: string) => void,
): AsyncGenerator<ProviderPiece, void, void> {
  for await (const piece of pieces) {
    if (piece.type === 'text_delta') hear(piece.index, piece.text);
    yield piece;
  }
}

/** Maps places, which may have gaps, to blocks counted from 0 in order of appearance. */
function createBlocks(say: ModelTurn['say']) {
  const places: number[] = [];
  return {
    hear(index: number, text: string): void {
      if (places.length === 0) say({ kind: 'begun' });
      if (!places.includes(index)) places.push(index);
      say({ kind: 'text', block: places.indexOf(index), text });
    },
    /** Emits the text that was not streamed. */
    end(segments: readonly Segment[]): void {
      if (places.length === 0) say({ kind: 'begun' });
      for (const block of places.keys()) say({ kind: 'text_end', block });
      const unheard = segments.filter(({ type }) => type === 'text').slice(places.length);
      for (const [index, segment] of unheard.entries()) {
        const block = places.length + index;
        if (segment.type === 'text') say({ kind: 'text', block, text: segment.text });
        say({ kind: 'text_end', block });
      }
      for (const segment of segments) sayShown(segment, say);
    },
  };
}

function sayShown(segment: Segment, say: ModelTurn['say']): void {
  switch (segment.type) {
    case 'image':
    case 'audio':
    case 'video':
      return say({ kind: 'media', media: segment.type, mimeType: segment.mimeType, data: segment.data });
    case 'ui':
      return say({ kind: 'ui', component: segment.ui });
    case 'text':
    case 'tool_call':
      return undefined;
  }
}

function partOf(segment: Segment): SaidPart {
  switch (segment.type) {
    case 'text':
      return segment;
    case 'tool_call': {
      const { id = randomUUID(), name, args } = segment.toolCall;
      return { type: 'tool_call', id, name, args };
    }
    default:
      return { type: 'opaque', value: { kept_segment: segment } };
  }
}

const toldSchema = z.looseObject({
  usage: usageSchema.nullable().catch(null),
  stop_reason: z.string().nullable().catch(null),
});

function told(metadata: unknown) {
  return toldSchema.safeParse(metadata).data ?? { usage: null, stop_reason: null };
}

/** Passes on the provider's own account of an unreadable answer (X004-8); anything else is a fault of the provider. */
function failureOf(name: string, error: unknown): ModelEnd {
  const message = error instanceof Error ? error.message : String(error);
  if (isPain(error)) return { kind: 'empty', message: `${name}: ${message}` };
  return {
    kind: 'unavailable',
    code: 'internal',
    message: `${name}: ${message}`,
    hint: `See the provider ${name}.`,
  };
}

/** Also compares by name, because a plug-in may have its own copy of the definitions. */
function isPain(error: unknown): boolean {
  return (
    error instanceof AgentPainException || (error instanceof Error && error.name === 'AgentPainException')
  );
}
