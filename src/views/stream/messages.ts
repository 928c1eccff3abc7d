import type { DoneEvent } from './event.ts';

const limitBytes = 256 * 1024;

/** `done` with the run's messages, in the shape of specification 003; too large, it says that they are missing (X002-22). */
export function withMessages({ event, data }: DoneEvent, messages: readonly unknown[]): DoneEvent {
  const sizeBytes = new TextEncoder().encode(JSON.stringify(messages)).length;
  if (sizeBytes > limitBytes) return { event, data: { ...data, messages_omitted: true } };
  return { event, data: { ...data, messages: [...messages] } };
}
