import { createParser } from 'eventsource-parser';

/** One frame of an event stream, as it stood on the wire. */
export interface Frame {
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

export interface FrameReader {
  /** The frames that are whole with this chunk; a frame may lie in any number of chunks (X002-D1). */
  feed(chunk: Uint8Array): readonly Frame[];
  /** Milliseconds that the server wants a reader to wait before it asks again. */
  retryMs(): number | null;
}

/** The rules of WHATWG's event streams; an incomplete last frame is dropped (X002-33). */
export function createFrameReader(): FrameReader {
  const decoder = new TextDecoder();
  let frames: Frame[] = [];
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
