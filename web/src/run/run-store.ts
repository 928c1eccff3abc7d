/** A run as a store: follows and folds its events, a frame at a time, however fast they arrive. */
import type { ConnectionState } from '../../../src/client/follow-frames.ts';
import type { RunClient } from '../../../src/client/run-client.ts';
import type { CollabEvent } from '../../../src/client/run-events.ts';
import { beforeFrame } from '../before-frame.ts';
import { createRunFold } from '../fold/run-fold.ts';
import type { RunState } from '../run-state.ts';

/** `resumed`: the connection was lost and is open again. `over`: no more events will follow. */
export type StreamConnection = 'connecting' | 'open' | 'waiting' | 'resumed' | 'lost' | 'over';

export interface FollowedRun {
  readonly run: RunState;
  readonly connection: StreamConnection;
  /** The reason for the lost connection. */
  readonly error: unknown;
}

export interface RunStore {
  readonly getState: () => FollowedRun;
  readonly subscribe: (listener: () => void) => () => void;
  /** Continues after the last event; ends any connection that is still open. */
  readonly follow: () => void;
  readonly close: () => void;
}

export interface RunStoreOptions {
  readonly client: Pick<RunClient, 'follow'>;
  readonly conversation: string;
  readonly run: string;
  /** Calls once before the next frame is drawn. */
  readonly schedule?: (draw: () => void) => void;
}

/** Limit per frame: folding and drawing more at once would delay the reader's keys. */
const mostEventsAtOnce = 2000;

export function createRunStore({
  client,
  conversation,
  run,
  schedule = beforeFrame,
}: RunStoreOptions): RunStore {
  const fold = createRunFold();
  const listeners = new Set<() => void>();
  let state: FollowedRun = { run: fold.current(), connection: 'connecting', error: null };
  let waiting: CollabEvent[] = [];
  let isScheduled = false;
  let reading: AbortController | null = null;

  function set(change: Partial<FollowedRun>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function draw(): void {
    isScheduled = false;
    const batch = waiting.slice(0, mostEventsAtOnce);
    waiting = waiting.slice(mostEventsAtOnce);
    if (waiting.length > 0) plan();
    if (batch.length > 0) set({ run: fold.add(batch) });
  }

  function plan(): void {
    if (isScheduled) return;
    isScheduled = true;
    schedule(draw);
  }

  function connected(next: ConnectionState): void {
    const { connection } = state;
    const wasLost = connection === 'waiting' || connection === 'lost';
    const shown =
      next === 'waiting' ? 'waiting' : wasLost ? 'resumed' : connection === 'resumed' ? 'resumed' : 'open';
    if (shown !== connection) set({ connection: shown });
  }

  async function read(signal: AbortSignal): Promise<void> {
    const after = waiting.at(-1)?.seq ?? state.run.lastSeq;
    try {
      for await (const event of client.follow(conversation, run, {
        signal,
        after,
        onConnection: connected,
      })) {
        if (signal.aborted) return;
        waiting.push(event);
        plan();
      }
      if (!signal.aborted) set({ connection: 'over' });
    } catch (error) {
      if (!signal.aborted) set({ connection: 'lost', error });
    }
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow() {
      reading?.abort();
      reading = new AbortController();
      void read(reading.signal);
    },
    close() {
      reading?.abort();
      reading = null;
    },
  };
}
