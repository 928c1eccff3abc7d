/** Writes a run's frames to one connection. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../system/clock.ts';
import { watchFlow } from './connection-flow.ts';
import type { FrameSource } from './event-stream-port.ts';
import { sendPings } from './ping.ts';

export interface EventWriterOptions {
  readonly source: FrameSource;
  /** The number of the last frame that the reader has; 0 for none. */
  readonly after: number;
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** Disconnects the reader, which comes back with the position that it has reached. */
  readonly signal: AbortSignal;
}

/** The headers of a stream's answer (X002-28); the connection is closed after it (R002-8). */
const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
} as const;

/**
 * Resolves when either side has closed the connection. At most one batch is buffered; a connection that reads nothing between
 * two pings is cut off, since a lost peer does not always close it (X002-29).
 */
export async function writeEvents(options: EventWriterOptions): Promise<void> {
  const { source, after, response, signal } = options;
  const flow = watchFlow(response);
  const stop = (): void => {
    // A reader that takes nothing would keep the server from stopping.
    if (flow.isStalled()) response.destroy();
    flow.stop();
  };
  response.writeHead(200, eventStreamHeaders);
  response.write(source.opening);
  const pinging = sendPings(options, flow);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    for await (const { bytes } of source.read(after, flow.stopped)) {
      if (!response.write(bytes)) await flow.resumed();
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await pinging;
  }
}
