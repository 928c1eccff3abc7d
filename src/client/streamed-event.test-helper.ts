import type { StreamingEvent } from '../views/stream/event.ts';
import { readEvent } from './read-event.ts';
import type { StreamFrame } from './read-frames.ts';

/** What a frame of 002's stream says; it must be one that this version knows, and whole. */
export function streamedEvent(frame: StreamFrame): StreamingEvent {
  const found = readEvent(frame);
  if (found.kind !== 'event') throw new Error(`${frame.event} is no event of the stream`);
  return found.event;
}
