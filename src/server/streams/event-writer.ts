/** Writes a run's frames to one connection, with a ping every ten seconds (R002-7). */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../system/clock.ts';
import type { FrameSource } from './event-stream-port.ts';

export interface EventWriterOptions {
  readonly source: FrameSource;
  /** The number of the last frame that the reader has; 0 for none. */
  readonly after: number;
  readonly response: ServerResponse;
  readonly clock: Clock;
  /** Disconnects the reader, which comes back with the position that it has reached. */
  readonly signal: AbortSignal;
}

const pingMs = 10_000;

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
  const pinging = keepAlive(options, flow);
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

/** Pings at intervals counted from the opening, only between the first event and `done` (X002-1). */
async function keepAlive({ source, response, clock }: EventWriterOptions, flow: Flow): Promise<void> {
  let dueAt = clock.now();
  let stalledAfter: number | null = null;
  while (!flow.over.aborted) {
    dueAt += pingMs * Math.max(1, Math.ceil((clock.now() - dueAt) / pingMs));
    await clock.sleep(dueAt - clock.now(), flow.over).catch(() => undefined);
    const isStalled = flow.isStalled();
    if (isStalled && stalledAfter === flow.drains()) response.destroy();
    stalledAfter = isStalled ? flow.drains() : null;
    if (!isStalled && !flow.stopped.aborted) response.write(source.ping());
  }
}

/** The flow control of a connection. */
interface Flow {
  /** Fires when the connection is closed. */
  readonly over: AbortSignal;
  /** Fires when writing must stop. */
  readonly stopped: AbortSignal;
  stop(): void;
  /** Returns true if written data is still buffered. */
  isStalled(): boolean;
  /** Returns how often the buffer has drained. */
  drains(): number;
  /** Resolves when the buffer has drained or writing must stop. */
  resumed(): Promise<void>;
}

function watchFlow(response: ServerResponse): Flow {
  const over = new AbortController();
  const stopped = new AbortController();
  let drains = 0;
  let resume = nothing;
  const stop = (): void => {
    stopped.abort();
    resume();
  };
  const close = (): void => {
    over.abort();
    stop();
  };
  response.on('drain', () => {
    drains += 1;
    resume();
  });
  response.on('close', close);
  response.on('error', stop);
  if (response.destroyed) close();
  return {
    over: over.signal,
    stopped: stopped.signal,
    stop,
    isStalled: () => response.writableEnded || response.writableNeedDrain,
    drains: () => drains,
    resumed: () =>
      new Promise((resolve) => {
        resume = resolve;
        if (stopped.signal.aborted) resolve();
      }),
  };
}

function nothing(): void {}
