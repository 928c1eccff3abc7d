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
  /** Lets the reader go: it comes back with the place that it has reached. */
  readonly signal: AbortSignal;
}

const pingMs = 10_000;

/** What a stream's answer is headed by (X002-28); its connection carries nothing after it (R002-8). */
const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
} as const;

/**
 * Resolves when the connection is over, on whichever side. What the connection has not taken is one batch at most; one that takes
 * nothing from one ping to the next is cut off, since a peer that is gone does not always say so (X002-29).
 */
export async function writeEvents(options: EventWriterOptions): Promise<void> {
  const { source, after, response, signal } = options;
  const flow = watchFlow(response);
  const stop = (): void => {
    // Who takes nothing would keep the server from stopping.
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

/** Counted from the opening; between the first event and `done` only (X002-1). */
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

/** How a connection takes what it is given. */
interface Flow {
  /** Fires when the connection is closed. */
  readonly over: AbortSignal;
  /** Fires when nothing more is to be written. */
  readonly stopped: AbortSignal;
  stop(): void;
  /** Something waits to be taken. */
  isStalled(): boolean;
  /** How often all was taken. */
  drains(): number;
  /** Resolves when all was taken, or nothing more is to be written. */
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
