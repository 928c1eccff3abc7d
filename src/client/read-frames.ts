import { createParser } from 'eventsource-parser';

/** One frame of an event stream, exactly as received. */
export interface StreamFrame {
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

/** Returns the event's number in the frame's id, `<seq>` or `<run>:<seq>`; null if it has none. */
export function numberOf({ id }: StreamFrame): number | null {
  const [, digits] = /(?:^|:)(\d{1,15})$/.exec(id ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
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
  let afterReturn = false;
  const parser = createParser({
    onEvent({ event, data, id }) {
      frames.push({ event: event ?? 'message', data, id: id ?? null });
    },
    onRetry(milliseconds) {
      retryMs = milliseconds;
    },
  });

  /** Ends lines by LF: the parser holds a line back that ends in CR, because an LF may follow. */
  function withLineFeeds(text: string): string {
    if (text === '') return text;
    const rest = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    afterReturn = text.endsWith('\r');
    return rest.replace(/\r\n?/g, '\n');
  }

  return {
    feed(chunk) {
      frames = [];
      parser.feed(withLineFeeds(decoder.decode(chunk, { stream: true })));
      return frames;
    },
    retryMs: () => retryMs,
  };
}
