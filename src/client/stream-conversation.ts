import type { StreamingEvent, StreamRequest } from '../views/stream/event.ts';
import { answerOf, eventStreamHeaders, followFrames, type Taken, type Unreachable } from './follow-frames.ts';
import type { StreamFrame } from './read-frames.ts';
import { readEvent } from './read-event.ts';
import { jsonBody, tenantRequester, type Ask, type ServerAddress } from './request.ts';
import { sleep as sleepFor, type Sleep } from './sleep.ts';

/** The address of a conversation and the way to reach it. */
export interface ConversationAddress extends ServerAddress {
  readonly conversationId: string;
}

export interface ConversationStreamOptions extends ConversationAddress {
  readonly sleep?: Sleep;
  /** Called for an event that cannot be read, which is skipped (R002-46). Default: `console.warn`. */
  readonly onMalformed?: (message: string) => void;
}

export interface RunningStream {
  /** The run's events, each once and in order, over as many connections as it takes; can be read only once. */
  readonly events: AsyncIterable<StreamingEvent>;
  /** Ends the run on the server, then stops reading (X002-11). */
  cancel(): Promise<void>;
  /** Stops reading; the run continues (R002-6). */
  disconnect(): void;
}

/**
 * Starts a run and reads its stream. After a break, a silence or a gap it reconnects and continues after the last event
 * (X002-2, X002-12).
 * @throws Error from `events`: `HTTP error: <status>`, `Response body is null`, or the network's error
 */
export function streamConversation(
  request: StreamRequest,
  options: ConversationStreamOptions,
): RunningStream {
  return readStream({ kind: 'start', request }, options);
}

/** Reads the stream of a run that was started elsewhere, from its first event; never starts one. */
export function joinConversation(runId: string, options: ConversationStreamOptions): RunningStream {
  return readStream({ kind: 'join', runId }, options);
}

function warn(message: string): void {
  // oxlint-disable-next-line no-console
  console.warn(`collab: ${message}`);
}

type Beginning =
  | { readonly kind: 'start'; readonly request: StreamRequest }
  | { readonly kind: 'join'; readonly runId: string };

function readStream(beginning: Beginning, options: ConversationStreamOptions): RunningStream {
  const { sleep = sleepFor, onMalformed = warn } = options;
  const ask = requester(options);
  const reading = new AbortController();
  const { signal } = reading;
  let lastId = beginning.kind === 'join' ? `${beginning.runId}:0` : null;
  let lastSeq = 0;

  function take(frame: StreamFrame): Taken<StreamingEvent> {
    const found = readEvent(frame);
    if (found.kind === 'malformed') onMalformed(found.message);
    const seq = found.kind === 'event' ? found.event.data.seq : (found.seq ?? 0);
    if (seq > lastSeq + 1) return { kind: 'gap' };
    if (seq > 0 && seq <= lastSeq) return { kind: 'skipped' };
    if (seq > 0) [lastSeq, lastId] = [seq, frame.id ?? lastId];
    const event = found.kind === 'event' ? found.event : null;
    return { kind: 'taken', value: event, isProgress: seq > 0, isLast: event?.event === 'done' };
  }

  async function connect(isFirst: boolean, connecting: AbortSignal): Promise<Response | Unreachable> {
    if (isFirst && beginning.kind === 'start') {
      return await ask('stream', {
        method: 'POST',
        headers: eventStreamHeaders,
        body: formOf(beginning.request),
        signal: connecting,
      });
    }
    const last = lastId === '' ? null : lastId;
    const after = last === null ? '' : `?after=${encodeURIComponent(last)}`;
    const headers = { ...eventStreamHeaders, ...(last === null ? {} : { 'last-event-id': last }) };
    return await answerOf(() => ask(`stream${after}`, { method: 'GET', headers, signal: connecting }));
  }

  async function* events(): AsyncGenerator<StreamingEvent> {
    try {
      yield* followFrames({ connect, take, signal, sleep });
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      reading.abort();
    }
  }

  return {
    events: events(),
    async cancel() {
      const run_id = lastId?.slice(0, lastId.lastIndexOf(':'));
      try {
        await cancelRun(options, run_id);
      } finally {
        reading.abort();
      }
    },
    disconnect: () => reading.abort(),
  };
}

/**
 * Ends the active run of a conversation. It is not an error if nothing runs, or if a newer run than the given one does.
 * @throws Error `HTTP error: <status>`
 */
export async function cancelRun(address: ConversationAddress, runId?: string): Promise<void> {
  const response = await requester(address)('cancel', jsonBody(runId === undefined ? {} : { run_id: runId }));
  if (!response.ok && response.status !== 409) throw new Error(`HTTP error: ${response.status}`);
}

function requester({ conversationId, ...server }: ConversationAddress): Ask {
  const ask = tenantRequester(server);
  return (path, init) => ask(`conversations/${encodeURIComponent(conversationId)}/${path}`, init);
}

function formOf(request: StreamRequest): FormData {
  const form = new FormData();
  form.append('request_data', JSON.stringify(request));
  return form;
}
