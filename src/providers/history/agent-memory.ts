/** Converts a conversation in specification 004's terms into a model's messages. */
import { z } from 'zod';
import type { ContentSegment, MemoryEntry } from '../../tools/definition/interfaces.ts';
import type { HeardPart, ModelMessage, SaidPart } from '../contract/model.ts';

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

/** Returns the part of a segment. A picture made by the model is only mentioned, because the model cannot read it back. */
function saidPart({ type, text, toolCall }: ContentSegment): SaidPart {
  if (toolCall === undefined) return { type: 'text', text: text ?? `[${type}]` };
  const { id = '', name } = toolCall;
  return { type: 'tool_call', id, name, args: z.json().parse(toolCall.args) };
}
