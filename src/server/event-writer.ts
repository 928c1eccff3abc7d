/** Writes a run's frames to one connection, with a ping every ten seconds (R002-7). */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../process/clock.ts';
import type { FrameSource } from './event-stream-port.ts';

export interface EventWriterOptions {
  readonly source: FrameSource;
  /** The number of the last frame that the reader has; 0 for none. */
  readonly after: number;
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** Lets the reader go: it comes back with the place that it has reached. */
  readonly signal: AbortSignal;
}

const pingMs = 10_000;

/** What a stream's answer is headed by (X002-28). */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** Resolves when the connection is over, on whichever side. */
export async function writeEvents({
  source,
  after,
  response,
  clock,
  signal,
}: EventWriterOptions): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.on('error', () => gone.abort());
  const reading = AbortSignal.any([gone.signal, signal]);
  response.writeHead(200, eventStreamHeaders);
  response.write(source.opening);
  const pinging = ping({ source, response, clock }, reading);
  try {
    for await (const batch of source.read(after, reading)) {
      const isTaken = response.write(Buffer.concat(batch.map(({ bytes }) => bytes)));
      if (!isTaken) await drained(response, reading);
    }
  } finally {
    gone.abort();
    await pinging;
    response.end();
  }
}

/** Between the first event and `done` only (X002-1). */
async function ping(
  { source, response, clock }: Pick<EventWriterOptions, 'source' | 'response' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(pingMs, signal).catch(() => undefined);
    if (!signal.aborted && source.endSeq() === null) response.write(source.ping());
  }
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
