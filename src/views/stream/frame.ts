import type { PingEvent, StreamingEvent } from './event.ts';

/** Milliseconds before a reader reconnects, sent once when a stream opens (X002-12). */
export const retryMs = 2000;

/** Returns the first bytes of a stream. */
export function encodeOpening(): Uint8Array {
  return encoder.encode(`retry: ${retryMs}\n\n`);
}

/**
 * Renders an event once for all readers of a run. A ping has no id, so that it does not move the place from which a reader
 * resumes (X002-1).
 */
export function renderFrame(runId: string, { event, data }: StreamingEvent): string {
  const id = event === 'ping' ? '' : `id: ${renderEventId({ runId, seq: data.seq })}\n`;
  return `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`;
}

export function encodeFrame(runId: string, event: StreamingEvent): Uint8Array {
  return encoder.encode(renderFrame(runId, event));
}

const encoder = new TextEncoder();

/** A place in a run's stream: after the event with this number. */
export interface StreamPlace {
  readonly runId: string;
  readonly seq: number;
}

export function renderEventId({ runId, seq }: StreamPlace): string {
  return `${runId}:${seq}`;
}

/** Returns null for an id that no stream of ours sent. */
export function parseEventId(text: string): StreamPlace | null {
  const match = /^(?<runId>[\w.-]{1,128}):(?<seq>\d{1,15})$/.exec(text);
  const { runId, seq } = match?.groups ?? {};
  return runId === undefined || seq === undefined ? null : { runId, seq: Number(seq) };
}

/** @param elapsedMs since the start of the run, not of the connection (X002-1) */
export function pingEvent(timestamp: string, elapsedMs: number): PingEvent {
  return { event: 'ping', data: { seq: 0, timestamp, elapsed_ms: elapsedMs } };
}
