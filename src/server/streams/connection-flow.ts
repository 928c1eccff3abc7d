import type { ServerResponse } from 'node:http';

/** The flow control of a connection. */
export interface ConnectionFlow {
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

export function watchFlow(response: ServerResponse): ConnectionFlow {
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
