/** Converts a conversation in specification 004's terms into a model's messages. */
import { z } from 'zod';
import type { ContentSegment, ContentType, MemoryEntry } from '../../tools/definition/interfaces.ts';
import type { HeardPart, ModelMessage, SaidPart } from '../contract/model.ts';

/** A model's private values, with their places among the parts of its answer. */
const opaqueSchema = z.array(z.object({ at: z.int().nonnegative(), value: z.json() }));
const metadataSchema = z.looseObject({ opaque: opaqueSchema.optional().catch(undefined) });

/** Receives a sentence about a segment that is not as the specification has it. */
export type Warn = (text: string) => void;

/** Returns the messages; consecutive entries of the user, and results followed by the user's text, become one message. */
export function messagesOf(memory: readonly MemoryEntry[], warn: Warn): readonly ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const entry of memory) {
    const message = messageOf(entry, warn);
    if (message.parts.length === 0) continue;
    const last = messages.at(-1);
    if (message.role === 'user' && last?.role === 'user') last.parts.push(...message.parts);
    else messages.push(message);
  }
  return messages;
}

function messageOf(entry: MemoryEntry, warn: Warn): ModelMessage {
  switch (entry.role) {
    case 'user':
      return { role: 'user', parts: heardParts(entry, warn) };
    case 'tool':
      return {
        role: 'user',
        parts: [{ type: 'tool_result', id: entry.id, content: entry.content, is_error: entry.isError }],
      };
    case 'assistant': {
      const parts = validSegments(entry.segments, warn).map(saidPart);
      const opaque = metadataSchema.safeParse(entry.metadata).data?.opaque ?? [];
      for (const { at, value } of opaque) parts.splice(at, 0, { type: 'opaque', value });
      return { role: 'assistant', parts };
    }
  }
}

/** The fields of a segment of each type (R004-4). */
const fieldsOf: { readonly [Type in ContentType]: readonly string[] } = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  video: ['data', 'mimeType'],
  ui: ['ui'],
  tool_call: ['toolCall'],
};

/** X004-5: the segments are from any provider, so wrong ones are dropped; fields of other types are never read. */
function validSegments(segments: readonly ContentSegment[], warn: Warn): readonly ContentSegment[] {
  return segments.filter((segment) => {
    const { type, ...given } = segment;
    const own: readonly string[] | undefined = Object.hasOwn(fieldsOf, type) ? fieldsOf[type] : undefined;
    const missing = own?.find((name) => !(name in given));
    const isValid = own !== undefined && missing === undefined;
    const foreign = Object.keys(given).filter((name) => own?.includes(name) !== true);
    if (own === undefined) warn(`a segment of the unknown type ${JSON.stringify(type)} was dropped`);
    else if (!isValid) warn(`a segment of the type ${type} was dropped: it has no ${missing}`);
    else if (foreign.length > 0) warn(`${foreign.join(', ')} of a segment of the type ${type} was dropped`);
    return isValid;
  });
}

function heardParts({ text, media = [] }: Extract<MemoryEntry, { role: 'user' }>, warn: Warn): HeardPart[] {
  const shown = validSegments(media, warn).map((segment): HeardPart => {
    const { type, data = '', mimeType = '' } = segment;
    if (type !== 'image' && type !== 'audio' && type !== 'video')
      return { type: 'text', text: mentioned(segment) };
    return { type: 'media', kind: type, mime_type: mimeType, data, name: type };
  });
  return text === '' && shown.length > 0 ? shown : [...shown, { type: 'text', text }];
}

/** Returns the part of a segment. A picture made by the model is only mentioned, because the model cannot read it back. */
function saidPart(segment: ContentSegment): SaidPart {
  const { type, toolCall } = segment;
  if (type !== 'tool_call' || toolCall === undefined) return { type: 'text', text: mentioned(segment) };
  const { id = '', name } = toolCall;
  return { type: 'tool_call', id, name, args: z.json().parse(toolCall.args) };
}

function mentioned({ type, text = '', ui }: ContentSegment): string {
  if (type === 'text') return text;
  // On a line of its own, because a history joins the texts of a message.
  return type === 'ui' ? `\n[ui: ${JSON.stringify(ui)}]\n` : `\n[${type}]\n`;
}
