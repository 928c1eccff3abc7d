/** Follows one event stream over several connections: reconnects after a break, a silence or a gap. */
import { createFrameReader, type StreamFrame } from './read-frames.ts';
import type { Sleep } from './sleep.ts';

/** The result of reading a frame. A `gap` means that an earlier frame is missing, so the connection is useless. */
export type Taken<Value> = { readonly kind: 'gap' } | { readonly kind: 'skipped' } | TakenFrame<Value>;

interface TakenFrame<Value> {
  readonly kind: 'taken';
  /** The decoded value, or null for a type this version does not know. */
  readonly value: Value | null;
  /** True if the stream has advanced; a ping does not advance it. */
  readonly isProgress: boolean;
  readonly isLast: boolean;
}

export interface FollowedStream<Value> {
  /** Opens a connection that continues after the last received frame. */
  readonly connect: (isFirst: boolean, signal: AbortSignal) => Promise<Response | Unreachable>;
  readonly take: (frame: StreamFrame) => Taken<Value>;
  /** Stops reading. */
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
  /** Called when a connection is open, and when the stream waits for one. */
  readonly onConnection?: ((state: ConnectionState) => void) | undefined;
}

export type ConnectionState = 'open' | 'waiting';

const firstDelayMs = 1000;
const longestDelayMs = 30_000;
/** Maximum number of attempts without an event in between. */
const mostTries = 8;
/** The server sends a ping every ten seconds. */
const silenceLimitMs = 35_000;

/**
 * @throws Error `HTTP error: <status>`, `Response body is null`, an answer of another type, `The stream was lost` and why, or what
 *   `connect` throws
 */
export async function* followFrames<Value>(stream: FollowedStream<Value>): AsyncGenerator<Value> {
  const { take, signal, sleep, onConnection } = stream;
  let retryMs = firstDelayMs;
  let cause = '';
  for (let tries = 0, isFirst = true; tries < mostTries && !signal.aborted; tries += 1, isFirst = false) {
    if (tries > 0) {
      onConnection?.('waiting');
      await sleep(Math.min(retryMs * 2 ** (tries - 1), longestDelayMs), signal);
    }
    if (signal.aborted) return;
    const response = await connected(stream, isFirst);
    if ('cause' in response) {
      ({ cause } = response);
      continue;
    }
    cause = 'the connection ended early';
    if (response.status === 204) return;
    const frames = framesOf(bodyOf(response), { signal, sleep, onRetry: (ms) => (retryMs = ms) });
    onConnection?.('open');
    for await (const frame of frames) {
      const taken = take(frame);
      if (taken.kind === 'gap') break;
      if (taken.kind !== 'taken') continue;
      if (taken.isProgress) tries = 0;
      if (taken.value !== null) yield taken.value;
      if (taken.isLast) return;
    }
  }
  if (!signal.aborted) throw new Error(`The stream was lost: ${cause}`);
}

/** A server that may answer later: a network error or a 5xx status. */
export interface Unreachable {
  readonly cause: string;
}

/** For `connect`: returns the cause if the server may answer later. */
export async function answerOf(asked: () => Promise<Response>): Promise<Response | Unreachable> {
  try {
    const response = await asked();
    return response.status >= 500 ? { cause: `HTTP error: ${response.status}` } : response;
  } catch (error) {
    return { cause: error instanceof Error ? error.message : String(error) };
  }
}

/** The headers of a request for an event stream, as `EventSource` sends them. */
export const eventStreamHeaders = { accept: 'text/event-stream', 'cache-control': 'no-store' };

/** Opens a connection, and gives up on a server that does not answer. */
async function connected<Value>(
  { connect, signal, sleep }: FollowedStream<Value>,
  isFirst: boolean,
): Promise<Response | Unreachable> {
  const connecting = new AbortController();
  const answered = new AbortController();
  const silence = watch(connecting, AbortSignal.any([signal, answered.signal]), sleep);
  try {
    return await connect(isFirst, AbortSignal.any([signal, connecting.signal]));
  } finally {
    answered.abort();
    await silence;
  }
}

async function watch(connecting: AbortController, answered: AbortSignal, sleep: Sleep): Promise<void> {
  await sleep(silenceLimitMs, answered);
  if (!answered.aborted) connecting.abort(new Error('The server does not answer'));
}

function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (!response.ok) throw new Error(`HTTP error: ${response.status}`);
  if (response.body === null) throw new Error('Response body is null');
  const type = response.headers.get('content-type') ?? 'no content type';
  if (!/^text\/event-stream\s*(;|$)/i.test(type)) {
    throw new Error(`The answer is not an event stream but ${type}: a proxy may have sent it`);
  }
  return response.body;
}

interface Reading {
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
}

async function* framesOf(
  body: ReadableStream<Uint8Array>,
  { onRetry, ...reading }: Reading & { readonly onRetry: (ms: number) => void },
): AsyncGenerator<StreamFrame> {
  const frames = createFrameReader();
  for await (const chunk of chunksOf(body, reading)) {
    const whole = frames.feed(chunk);
    const retryMs = frames.retryMs();
    if (retryMs !== null) onRetry(retryMs);
    yield* whole;
  }
}

/** Yields chunks until the connection breaks or goes silent. */
async function* chunksOf(body: ReadableStream<Uint8Array>, reading: Reading): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const chunk = await nextChunk(reader, reading);
      if (chunk === null) return;
      yield chunk;
    }
  } finally {
    // Canceling fails if the connection is already closed, which is harmless.
    await reader.cancel().catch(() => undefined);
  }
}

async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { signal, sleep }: Reading,
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
