import { streamingEventNames, type StreamingEvent } from '../wire/streaming-event.ts';
import type { Frame } from './read-frames.ts';

/** An event, the number of one that this version does not know (X002-30), or why it cannot be read. */
export type ReadEvent =
  | { readonly kind: 'event'; readonly event: StreamingEvent }
  | { readonly kind: 'unknown'; readonly seq: number }
  | { readonly kind: 'malformed'; readonly message: string };

export function readEvent({ event, data: text }: Frame): ReadEvent {
  const data = parseJson(text);
  if (!isRecord(data) || typeof data['seq'] !== 'number') return malformed(event);
  if (!isKnown(event)) return { kind: 'unknown', seq: data['seq'] };
  const read = { event, data };
  return isStreamingEvent(read) ? { kind: 'event', event: read } : malformed(event);
}

function malformed(event: string): ReadEvent {
  return { kind: 'malformed', message: `the data of an event "${event}" cannot be read` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type EventName = StreamingEvent['event'];
type Kind = 'string' | 'number' | 'boolean' | 'record' | 'array';

/** What a reader relies on; a field that may be absent or null is not asked for (X002-20). */
const required: Readonly<Record<EventName, Readonly<Record<string, Kind>>>> = {
  init: { session_id: 'string', tools: 'array', model: 'string' },
  thinking: { content: 'string' },
  assistant: { content_blocks: 'array' },
  tool_call: { tool_use_id: 'string', tool_name: 'string', input: 'record', summary: 'string' },
  tool_result: { tool_use_id: 'string', tool_name: 'string', status: 'string', content: 'string' },
  subagent_start: { agent_id: 'string', agent_type: 'string', description: 'string' },
  subagent_end: { agent_id: 'string', agent_type: 'string', status: 'string' },
  progress: { type: 'string', message: 'string' },
  title: { title: 'string' },
  ping: { elapsed_ms: 'number' },
  context_status: {
    current_context_tokens: 'number',
    max_context_tokens: 'number',
    usage_percent: 'number',
    warning_level: 'string',
    can_continue: 'boolean',
  },
  done: {
    status: 'string',
    usage: 'record',
    cost_usd: 'string',
    turn_count: 'number',
    duration_ms: 'number',
  },
  error: { error_type: 'string', message: 'string', recoverable: 'boolean' },
};

function isStreamingEvent(read: { event: EventName; data: object }): read is StreamingEvent {
  const fields = new Map<string, unknown>(Object.entries(read.data));
  return Object.entries(required[read.event]).every(([field, kind]) => isOf(kind, fields.get(field)));
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'array') return Array.isArray(value);
  return kind === 'record' ? isRecord(value) : typeof value === kind;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isKnown(name: string): name is EventName {
  return streamingEventNames.some((known) => known === name);
}
