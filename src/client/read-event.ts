import { streamingEventNames, type StreamingEvent } from '../views/stream/event.ts';
import { parseJson } from '../text/parse-json.ts';
import { hasFields, isRecord, type Fields } from './read-json.ts';
import { numberOf, type StreamFrame } from './read-frames.ts';

/** An event, the number of an event of an unknown type (X002-30), or the reason it cannot be read. */
export type ReadEvent =
  | { readonly kind: 'event'; readonly event: StreamingEvent }
  | { readonly kind: 'unknown'; readonly seq: number }
  /** `seq`: null if it has no number. */
  | { readonly kind: 'malformed'; readonly seq: number | null; readonly message: string };

export function readEvent(frame: StreamFrame): ReadEvent {
  const { event, data: text } = frame;
  const data = parseJson(text);
  if (!isRecord(data) || typeof data['seq'] !== 'number') return malformed(event, numberOf(frame));
  if (!isKnown(event)) return { kind: 'unknown', seq: data['seq'] };
  const read = { event, data };
  return isStreamingEvent(read) ? { kind: 'event', event: read } : malformed(event, data['seq']);
}

function malformed(event: string, seq: number | null): ReadEvent {
  return { kind: 'malformed', seq, message: `the data of an event "${event}" cannot be read` };
}

type EventName = StreamingEvent['event'];

/** The fields that a reader relies on; fields that may be absent or null are not checked (X002-20). */
const required: Readonly<Record<EventName, Fields>> = {
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
  return hasFields(read.data, required[read.event]);
}

function isKnown(name: string): name is EventName {
  return streamingEventNames.some((known) => known === name);
}
