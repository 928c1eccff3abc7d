import type { DoneEvent } from './event.ts';

const limitBytes = 256 * 1024;

/**
 * Adds the run's messages to `done`, in the shape of specification 003; if they are too large, marks them as missing
 * (X002-22).
 */
export function withMessages({ event, data }: DoneEvent, messages: readonly unknown[]): DoneEvent {
  const sizeBytes = new TextEncoder().encode(JSON.stringify(messages)).length;
  if (sizeBytes > limitBytes) return { event, data: { ...data, messages_omitted: true } };
  return { event, data: { ...data, messages: [...messages] } };
}
