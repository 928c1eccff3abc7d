import type { EventBody } from '../../events/collab-event.ts';
import {
  beginningOf,
  bytesOf,
  maxAnswerBytes,
  maxTurnOutputBytes,
  outputCut,
} from '../../parsers/markdown/answer-size.ts';
import { bytesOfEnvelope } from './turn-size.ts';

/**
 * Bounds the thinking, the arguments and the output of the tools of one turn, so that they cannot fill the disk: the
 * beginning of each is kept, followed by a note about the cut. The turn continues.
 */
export function boundOutput(emit: (event: EventBody) => void): (event: EventBody) => void {
  /** The bytes that each open stream may still have; null after its cut. */
  const open = new Map<string, number | null>();
  let left = maxTurnOutputBytes;
  let last = '';

  function bounded(stream: string, text: string): string {
    const room = open.has(stream) ? (open.get(stream) ?? null) : maxAnswerBytes;
    if (room === null) return '';
    // Pieces of one stream in a row become one record.
    if (stream !== last) left -= bytesOfEnvelope;
    last = stream;
    const kept = beginningOf(text, Math.max(0, Math.min(room, left)));
    left -= bytesOf(kept);
    const isWhole = kept.length === text.length;
    open.set(stream, isWhole ? room - bytesOf(kept) : null);
    return isWhole ? text : `${kept}${outputCut}`;
  }

  /** Ends the row: each of these pieces is a record. */
  function boundedAlone(stream: string, text: string): string {
    last = '';
    return bounded(stream, text);
  }

  return (event) => {
    switch (event.type) {
      case 'thinking.delta': {
        const text = bounded(`thinking ${event.block_id}`, event.text);
        return text === '' ? undefined : emit({ ...event, text });
      }
      case 'tool.input': {
        const delta = boundedAlone(`input ${event.call_id}`, event.delta);
        return delta === '' ? undefined : emit({ ...event, delta });
      }
      case 'tool.call':
        open.delete(`input ${event.call_id}`);
        return emit({
          ...event,
          args: beginningOfArgs(event.args),
          summary: beginningOf(event.summary, maxAnswerBytes),
        });
      case 'tool.output': {
        const chunk = boundedAlone(`output ${event.call_id}`, event.chunk);
        return chunk === '' ? undefined : emit({ ...event, chunk });
      }
      case 'thinking.end':
        open.delete(`thinking ${event.block_id}`);
        return emit(event);
      case 'tool.result': {
        const content = bounded(`result ${event.call_id}`, event.content);
        open.delete(`result ${event.call_id}`);
        open.delete(`output ${event.call_id}`);
        return emit({ ...event, content });
      }
      default:
        return emit(event);
    }
  };
}

type Args = Extract<EventBody, { type: 'tool.call' }>['args'];

/** Keeps the form of the arguments: texts are cut, and entries beyond the limit are left out. */
function beginningOfArgs(args: Args): Args {
  if (bytesOf(JSON.stringify(args)) <= maxAnswerBytes) return args;
  let left = maxAnswerBytes;

  function beginning(value: Args[string]): Args[string] {
    if (typeof value === 'string') {
      const kept = beginningOf(value, Math.max(0, left));
      left = kept.length === value.length ? left - bytesOf(kept) : 0;
      return kept.length === value.length ? value : `${kept}${outputCut}`;
    }
    left -= bytesOfValue;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.flatMap((inner) => (left > 0 ? [beginning(inner)] : []));
    return beginningOfEntries(value);
  }

  function beginningOfEntries(entries: Args): Args {
    const kept = Object.entries(entries).flatMap(([key, value]) => {
      left -= bytesOf(key) + bytesOfValue;
      return left > 0 ? [[key, beginning(value)] as const] : [];
    });
    return Object.fromEntries(kept);
  }

  return beginningOfEntries(args);
}

/** About as much as a number or the signs around a value take. */
const bytesOfValue = 8;
