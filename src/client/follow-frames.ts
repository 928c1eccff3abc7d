/** An event stream over as many connections as it takes: what breaks, stays silent or leaves a gap is taken up again. */
import { createFrameReader, type Frame } from './read-frames.ts';
import type { Sleep } from './sleep.ts';

/** What a frame came to. A `gap`: something before it is missing, so the connection is of no more use. */
export type Taken<Value> = { readonly kind: 'gap' } | { readonly kind: 'skipped' } | TakenFrame<Value>;

interface TakenFrame<Value> {
  readonly kind: 'taken';
  /** Null where this version knows nothing of it. */
  readonly value: Value | null;
  /** The stream is further on than before; a ping is not. */
  readonly isProgress: boolean;
  readonly isLast: boolean;
}

export interface FollowedStream<Value> {
  /** Opens a connection behind what was taken last; null where the server cannot answer now. */
  readonly connect: (isFirst: boolean, signal: AbortSignal) => Promise<Response | null>;
  readonly take: (frame: Frame) => Taken<Value>;
  /** Ends the reading. */
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
  /** Hears when a connection stands, and when it is waited for. */
  readonly onConnection?: ((state: ConnectionState) => void) | undefined;
}

export type ConnectionState = 'open' | 'waiting';

const firstDelayMs = 1000;
const longestDelayMs = 30_000;
/** Without an event between them. */
const mostTries = 8;
/** The server sends a ping every ten seconds. */
const silenceLimitMs = 35_000;

/** @throws Error `HTTP error: <status>`, `Response body is null`, `The stream was lost`, or what `connect` throws */
export async function* followFrames<Value>(stream: FollowedStream<Value>): AsyncGenerator<Value> {
  const { take, signal, sleep, onConnection } = stream;
  let retryMs = firstDelayMs;
  for (let tries = 0, isFirst = true; tries < mostTries && !signal.aborted; tries += 1, isFirst = false) {
    if (tries > 0) {
      onConnection?.('waiting');
      await sleep(Math.min(retryMs * 2 ** (tries - 1), longestDelayMs), signal);
    }
    if (signal.aborted) return;
    const response = await connected(stream, isFirst);
    if (response === null) continue;
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
  if (!signal.aborted) throw new Error('The stream was lost');
}

/** For `connect`: a server that is away, or at a loss, may answer later. */
export async function answerOf(asked: () => Promise<Response>): Promise<Response | null> {
  try {
    const response = await asked();
    return response.status >= 500 ? null : response;
  } catch {
    return null;
  }
}

/** A server that does not answer at all is not waited for either. */
async function connected<Value>(
  { connect, signal, sleep }: FollowedStream<Value>,
  isFirst: boolean,
): Promise<Response | null> {
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
  return response.body;
}

interface Reading {
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
}

async function* framesOf(
  body: ReadableStream<Uint8Array>,
  { onRetry, ...reading }: Reading & { readonly onRetry: (ms: number) => void },
): AsyncGenerator<Frame> {
  const frames = createFrameReader();
  for await (const chunk of chunksOf(body, reading)) {
    const whole = frames.feed(chunk);
    const retryMs = frames.retryMs();
    if (retryMs !== null) onRetry(retryMs);
    yield* whole;
  }
}

/** A connection that broke, or that says nothing any more, has no further chunks. */
async function* chunksOf(body: ReadableStream<Uint8Array>, reading: Reading): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const chunk = await nextChunk(reader, reading);
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
