/** Converts a conversation between specification 004's terms and a model's messages, both ways. */
import { z } from 'zod';
import type { ContentSegment, MemoryEntry } from '../../tools/definition/interfaces.ts';
import type { HeardPart, ModelMessage, SaidPart } from '../contract/model.ts';

export interface RememberedHistory {
  /** The current input; empty if tool results came last. */
  readonly prompt: string;
  readonly memory: readonly MemoryEntry[];
}

/** A provider's private values about its own answer, which `opaque` parts carry. */
const keptSchema = z.union([
  z.strictObject({ kept_segment: z.json() }),
  z.strictObject({ kept_metadata: z.json() }),
]);

export function memoryOf(messages: readonly ModelMessage[]): RememberedHistory {
  const last = messages.at(-1);
  const said = last?.role === 'user' ? last.parts.at(-1) : undefined;
  const prompt = said?.type === 'text' ? said.text : '';
  const entries = messages.flatMap((message): readonly MemoryEntry[] =>
    message.role === 'user' ? message.parts.map(heardEntry) : [saidEntry(message.parts)],
  );
  return { prompt, memory: said?.type === 'text' ? entries.slice(0, -1) : entries };
}

function heardEntry(part: HeardPart): MemoryEntry {
  switch (part.type) {
    case 'text':
      return { role: 'user', text: part.text };
    case 'media': {
      const { kind, data, mime_type, name } = part;
      if (kind === 'file') return { role: 'user', text: `[${name}]` };
      return { role: 'user', text: '', media: [{ type: kind, data, mimeType: mime_type }] };
    }
    case 'tool_result':
      return { role: 'tool', id: part.id, content: part.content, isError: part.is_error };
  }
}

function saidEntry(parts: readonly SaidPart[]): MemoryEntry {
  const kept = parts.map((part) =>
    part.type === 'opaque' ? keptSchema.safeParse(part.value).data : undefined,
  );
  const metadata = kept.find((value) => value !== undefined && 'kept_metadata' in value);
  const segments = parts.flatMap((part, index): readonly ContentSegment[] => {
    const own = kept[index];
    if (part.type !== 'opaque') return [segmentOf(part)];
    return own !== undefined && 'kept_segment' in own ? [readSegment(own.kept_segment)] : [];
  });
  return {
    role: 'assistant',
    segments,
    ...(metadata !== undefined && 'kept_metadata' in metadata ? { metadata: metadata.kept_metadata } : {}),
  };
}

const keptSegment = z.object({
  type: z.enum(['image', 'audio', 'video', 'ui']),
  data: z.string().exactOptional(),
  mimeType: z.string().exactOptional(),
  ui: z.json().exactOptional(),
});

function readSegment(value: unknown): ContentSegment {
  return keptSegment.parse(value);
}

function segmentOf(part: Exclude<SaidPart, { type: 'opaque' }>): ContentSegment {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'tool_call', toolCall: { id: part.id, name: part.name, args: part.args } };
}

/** A model's private values, with their places among the parts of its answer. */
const opaqueSchema = z.array(z.object({ at: z.int().nonnegative(), value: z.json() }));
const metadataSchema = z.looseObject({ opaque: opaqueSchema.optional().catch(undefined) });

/** Returns the messages; consecutive entries of the user, and results followed by the user's text, become one message. */
export function messagesOf(memory: readonly MemoryEntry[]): readonly ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const entry of memory) {
    const message = messageOf(entry);
    const last = messages.at(-1);
    if (message.role === 'user' && last?.role === 'user') last.parts.push(...message.parts);
    else messages.push(message);
  }
  return messages;
}

function messageOf(entry: MemoryEntry): ModelMessage {
  switch (entry.role) {
    case 'user':
      return { role: 'user', parts: heardParts(entry) };
    case 'tool':
      return {
        role: 'user',
        parts: [{ type: 'tool_result', id: entry.id, content: entry.content, is_error: entry.isError }],
      };
    case 'assistant': {
      const parts = entry.segments.map(saidPart);
      const opaque = metadataSchema.safeParse(entry.metadata).data?.opaque ?? [];
      for (const { at, value } of opaque) parts.splice(at, 0, { type: 'opaque', value });
      return { role: 'assistant', parts };
    }
  }
}

function heardParts({ text, media = [] }: Extract<MemoryEntry, { role: 'user' }>): HeardPart[] {
  const shown = media.map(({ type, data = '', mimeType = '' }): HeardPart => {
    if (type !== 'image' && type !== 'audio' && type !== 'video') return { type: 'text', text: `[${type}]` };
    return { type: 'media', kind: type, mime_type: mimeType, data, name: type };
  });
  return text === '' && shown.length > 0 ? shown : [...shown, { type: 'text', text }];
}

/** Returns the part of a segment. A model's own picture is only named, because the model cannot use more than that. */
function saidPart({ type, text, toolCall }: ContentSegment): SaidPart {
  if (toolCall === undefined) return { type: 'text', text: text ?? `[${type}]` };
  const { id = '', name } = toolCall;
  return { type: 'tool_call', id, name, args: z.json().parse(toolCall.args) };
}
