import { createParser } from 'eventsource-parser';

/** One frame of an event stream, exactly as received. */
export interface StreamFrame {
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

export interface FrameReader {
  /** Returns the frames completed by this chunk; a frame may span any number of chunks (X002-D1). */
  feed(chunk: Uint8Array): readonly StreamFrame[];
  /** Returns the server's requested delay before a reconnection, in milliseconds. */
  retryMs(): number | null;
}

/** Parses event streams by the WHATWG rules; an incomplete last frame is dropped (X002-33). */
export function createFrameReader(): FrameReader {
  const decoder = new TextDecoder();
  let frames: StreamFrame[] = [];
  let retryMs: number | null = null;
  const parser = createParser({
    onEvent({ event, data, id }) {
      frames.push({ event: event ?? 'message', data, id: id ?? null });
    },
    onRetry(milliseconds) {
      retryMs = milliseconds;
    },
  });

  return {
    feed(chunk) {
      frames = [];
      parser.feed(decoder.decode(chunk, { stream: true }));
      return frames;
    },
    retryMs: () => retryMs,
  };
}
