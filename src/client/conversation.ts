import type { StreamingEvent, StreamRequest } from '../views/stream/event.ts';
import { callHandlers, type StreamingHandlers } from './handlers.ts';
import {
  joinConversation,
  streamConversation,
  type RunningStream,
  type ConversationStreamOptions,
} from './stream-conversation.ts';
import { afterEvent, beginStreamedRun, idleState, type StreamingState } from './streaming-state.ts';

/** A conversation as a store: a state, its subscribers and the actions on it. */
export interface Conversation {
  readonly getState: () => StreamingState;
  /** @returns a function that unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
  /** Starts a run, after it stops reading the previous one. Resolves when the run's stream ends; never rejects. */
  readonly execute: (request: StreamRequest, handlers?: StreamingHandlers) => Promise<void>;
  /** Reads a run that was started elsewhere, from its beginning; otherwise like `execute`. */
  readonly join: (runId: string, handlers?: StreamingHandlers) => Promise<void>;
  /** Ends the run on the server too (X002-D7). */
  readonly cancel: () => Promise<void>;
  /** Stops reading; the run continues. */
  readonly disconnect: () => void;
}

export function createConversation(options: ConversationStreamOptions): Conversation {
  const listeners = new Set<() => void>();
  let state = idleState;
  /** The run whose events count: late events of an older run are dropped (X002-D3). */
  let current: RunningStream | null = null;

  function set(next: StreamingState): void {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  }

  function take(event: StreamingEvent, handlers: StreamingHandlers): void {
    set(afterEvent(state, event));
    callHandlers(handlers, event);
  }

  function fail(error: unknown, handlers: StreamingHandlers): void {
    const message = error instanceof Error ? error.message : String(error);
    set({ ...state, error: message });
    handlers.onError?.(message, false);
  }

  async function read(stream: RunningStream, handlers: StreamingHandlers): Promise<void> {
    current?.disconnect();
    current = stream;
    set(beginStreamedRun(state));
    try {
      for await (const event of stream.events) {
        if (current !== stream) return;
        take(event, handlers);
      }
    } catch (error) {
      if (current === stream) fail(error, handlers);
    } finally {
      if (current === stream) finish();
    }
  }

  function finish(): void {
    current = null;
    set({ ...state, isStreaming: false });
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    execute: (request, handlers = {}) => read(streamConversation(request, options), handlers),
    join: (runId, handlers = {}) => read(joinConversation(runId, options), handlers),
    async cancel() {
      const stream = current;
      if (stream === null) return;
      try {
        await stream.cancel();
        if (current === stream) set({ ...state, status: 'cancelled' });
      } catch (error) {
        if (current === stream) fail(error, {});
      } finally {
        if (current === stream) finish();
      }
    },
    disconnect() {
      current?.disconnect();
      if (current !== null) finish();
    },
  };
}
