import type { StreamingEvent } from '../views/stream/event.ts';
import { readEvent } from './read-event.ts';
import type { StreamFrame } from './read-frames.ts';

/** Reads a frame of specification 002's stream, which must be complete and of a known type. */
export function streamedEvent(frame: StreamFrame): StreamingEvent {
  const found = readEvent(frame);
  if (found.kind !== 'event') throw new Error(`${frame.event} is no event of the stream`);
  return found.event;
}
