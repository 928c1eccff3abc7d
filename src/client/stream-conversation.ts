import type { StreamingEvent, StreamRequest } from '../wire/streaming-event.ts';
import { createFrameReader } from './read-frames.ts';
import { readEvent } from './read-event.ts';
import { sleep as sleepFor, type Sleep } from './sleep.ts';

/** Where a conversation is, and how it is reached. */
export interface ConversationAddress {
  readonly tenantId: string;
  readonly conversationId: string;
  /** What stands before `/api`; by default nothing: the page's own server. */
  readonly baseUrl?: string;
  /** Of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By default the platform's. */
  readonly fetch?: typeof fetch;
}

export interface StreamOptions extends ConversationAddress {
  readonly sleep?: Sleep;
  /** An event that cannot be read is skipped (R002-46). */
  readonly onMalformed?: (message: string) => void;
}

export interface RunningStream {
  /** The run's events, each once and in order, over as many connections as it takes; read it once. */
  readonly events: AsyncIterable<StreamingEvent>;
  /** Ends the run on the server, then the reading (X002-11). */
  cancel(): Promise<void>;
  /** Ends the reading; the run goes on (R002-6). */
  disconnect(): void;
}

const firstDelayMs = 1000;
const longestDelayMs = 30_000;
/** Without an event between them. */
const mostTries = 8;
/** The server sends a ping every ten seconds. */
const silenceLimitMs = 35_000;

/**
 * Starts a run and reads its stream. A connection that breaks, stays silent or leaves a gap is taken up again behind the last
 * event (X002-2, X002-12).
 * @throws Error from `events`: `HTTP error: <status>`, `Response body is null`, or what the network said
 */
export function streamConversation(request: StreamRequest, options: StreamOptions): RunningStream {
  const { sleep = sleepFor, onMalformed = () => undefined } = options;
  const ask = requester(options);
  const reading = new AbortController();
  const { signal } = reading;
  let lastId: string | null = null;
  let lastSeq = 0;
  let retryMs = firstDelayMs;
  let ended = false;

  /** One connection's events: up to `done`, a gap, or the connection's end. */
  async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamingEvent> {
    const frames = createFrameReader();
    for await (const chunk of chunksOf(body, { signal, sleep })) {
      for (const frame of frames.feed(chunk)) {
        retryMs = frames.retryMs() ?? retryMs;
        const found = readEvent(frame);
        if (found.kind === 'malformed') onMalformed(found.message);
        const seq = found.kind === 'event' ? found.event.data.seq : found.kind === 'unknown' ? found.seq : 0;
        if (seq > lastSeq + 1) return;
        if (seq > 0 && seq <= lastSeq) continue;
        if (seq > 0) [lastSeq, lastId] = [seq, frame.id ?? lastId];
        if (found.kind !== 'event') continue;
        yield found.event;
        if (found.event.event === 'done') {
          ended = true;
          return;
        }
      }
    }
  }

  async function open(isFirst: boolean): Promise<Response | null> {
    if (isFirst) return await answerTo('stream', { method: 'POST', body: formOf(request) });
    try {
      const after = lastId === null ? '' : `?after=${encodeURIComponent(lastId)}`;
      const headers = lastId === null ? {} : { 'last-event-id': lastId };
      const response = await answerTo(`stream${after}`, { method: 'GET', headers });
      return response.status >= 500 ? null : response;
    } catch {
      return null;
    }
  }

  /** A server that does not answer at all is not waited for either. */
  async function answerTo(path: string, init: AskInit): Promise<Response> {
    const connecting = new AbortController();
    const answered = new AbortController();
    const silence = watch(connecting, AbortSignal.any([signal, answered.signal]));
    try {
      return await ask(path, { ...init, signal: AbortSignal.any([signal, connecting.signal]) });
    } finally {
      answered.abort();
      await silence;
    }
  }

  async function watch(connecting: AbortController, answered: AbortSignal): Promise<void> {
    await sleep(silenceLimitMs, answered);
    if (!answered.aborted) connecting.abort(new Error('The server does not answer'));
  }

  async function* run(): AsyncGenerator<StreamingEvent> {
    for (let tries = 0; tries < mostTries && !signal.aborted; tries += 1) {
      if (tries > 0) await sleep(Math.min(retryMs * 2 ** (tries - 1), longestDelayMs), signal);
      if (signal.aborted) return;
      const response = await open(lastSeq === 0 && tries === 0);
      if (response === null) continue;
      if (response.status === 204) return;
      const before = lastSeq;
      for await (const event of read(bodyOf(response))) yield event;
      if (ended) return;
      if (lastSeq > before) tries = 0;
    }
    if (!signal.aborted) throw new Error('The stream was lost');
  }

  async function* events(): AsyncGenerator<StreamingEvent> {
    try {
      yield* run();
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
 * Ends what runs in a conversation. That nothing runs any more is no failure, nor is a newer run than the one that is meant.
 * @throws Error `HTTP error: <status>`
 */
export async function cancelRun(address: ConversationAddress, runId?: string): Promise<void> {
  const response = await requester(address)('cancel', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(runId === undefined ? {} : { run_id: runId }),
  });
  if (!response.ok && response.status !== 409) throw new Error(`HTTP error: ${response.status}`);
}

type AskInit = Pick<RequestInit, 'method' | 'body' | 'signal'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

function requester({
  tenantId,
  conversationId,
  baseUrl = '',
  headers,
  fetch: fetchFrom = fetch,
}: ConversationAddress) {
  const tenant = encodeURIComponent(tenantId);
  const conversation = encodeURIComponent(conversationId);
  return (path: string, init: AskInit): Promise<Response> =>
    fetchFrom(`${baseUrl}/api/tenants/${tenant}/conversations/${conversation}/${path}`, {
      ...init,
      headers: { ...headers, ...init.headers },
    });
}

function formOf(request: StreamRequest): FormData {
  const form = new FormData();
  form.append('request_data', JSON.stringify(request));
  return form;
}

function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (!response.ok) throw new Error(`HTTP error: ${response.status}`);
  if (response.body === null) throw new Error('Response body is null');
  return response.body;
}

/** A connection that broke, or that says nothing any more, has no further chunks. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  { signal, sleep }: { signal: AbortSignal; sleep: Sleep },
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const chunk = await nextChunk(reader, { signal, sleep });
      if (chunk === null) return;
      yield chunk;
    }
  } finally {
    // A connection that is gone already cannot be cancelled, which is as well.
    await reader.cancel().catch(() => undefined);
  }
}

async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { signal, sleep }: { signal: AbortSignal; sleep: Sleep },
): Promise<Uint8Array | null> {
  const waiting = new AbortController();
  const silence = sleep(silenceLimitMs, AbortSignal.any([signal, waiting.signal])).then(() => null);
  const chunk = reader.read().then(
    ({ value }) => value ?? null,
    () => null,
  );
  try {
    return await Promise.race([chunk, silence]);
  } finally {
    waiting.abort();
  }
}
