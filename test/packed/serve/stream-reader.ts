/** Readers of a stream that notice immediately when an event is missing, comes twice or out of order. */
import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFrameReader, type StreamFrame } from '../../../src/client/read-frames.ts';
import { streamedEvent } from '../../../src/client/streamed-event.test-helper.ts';
import type { StreamingEvent } from '../../../src/views/stream/event.ts';
import { isPingEvent } from '../../../src/views/stream/guards.ts';

export interface StreamReader {
  /** The number of the last event. */
  readonly count: () => number;
  /** The number of times that the connection was lost or cut. */
  readonly cuts: () => number;
  /** The number of all received events, when the server reports that there are no more. */
  readonly whole: Promise<string>;
  /** The received events, if they were to be recorded. */
  readonly events: () => readonly StreamingEvent[];
}

export interface ReaderOptions {
  /**
   * The number of bytes to read from each connection before it is cut; a connection ends by itself if nothing is left.
   */
  readonly cutAfter?: Iterator<number>;
  /** Until then it silently reads nothing from its first connection. */
  readonly stallsUntil?: Promise<void>;
  readonly records?: boolean;
}

/** Reads a conversation's newest run and reconnects, at another address if `url` is a function, until it has all events. */
export function readStream(
  url: string | (() => string),
  { cutAfter, stallsUntil, records }: ReaderOptions = {},
): StreamReader {
  const seen = createRecord();
  const events: StreamingEvent[] = [];
  let connections = 0;

  async function read(): Promise<string> {
    for (;;) {
      connections += 1;
      const response = await connect(typeof url === 'string' ? url : url(), seen.lastId()).catch(() => null);
      await stallsUntil;
      if (response?.statusCode === 204) return seen.digest();
      if (response?.statusCode === 200) await take(response, cutAfter?.next().value ?? Infinity);
      else await sleep(50);
    }
  }

  async function take(response: IncomingMessage, mostBytes: number): Promise<void> {
    const frames = createFrameReader();
    let bytes = 0;
    try {
      for await (const chunk of response) {
        const part = Buffer.from(chunk).subarray(0, mostBytes - bytes);
        bytes += part.length;
        for (const frame of frames.feed(part)) {
          seen.add(frame);
          if (records === true) events.push(...withoutPing(frame));
        }
        if (bytes >= mostBytes) return;
      }
    } catch (error) {
      // The connection was lost: the server has ended, or it dropped this reader.
      if (!(error instanceof Error) || !('code' in error)) throw error;
    }
  }

  return { count: seen.count, cuts: () => connections - 1, whole: read(), events: () => events };
}

function withoutPing(frame: StreamFrame): readonly StreamingEvent[] {
  const event = streamedEvent(frame);
  return isPingEvent(event) ? [] : [event];
}

function connect(url: string, lastId: string | null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = lastId === null ? {} : { 'last-event-id': lastId };
    const request = get(url, { agent: false, headers });
    request.on('response', resolve);
    request.on('error', reject);
  });
}

interface Record {
  add(frame: StreamFrame): void;
  readonly count: () => number;
  readonly lastId: () => string | null;
  readonly digest: () => string;
}

function createRecord(): Record {
  const hash = createHash('sha256');
  let count = 0;
  let lastId: string | null = null;
  let done = false;
  return {
    add({ id, event, data }) {
      if (event === 'ping') return;
      const seq = Number(id?.split(':')[1]);
      if (seq !== count + 1 || done) throw new Error(`${event} ${id} came after ${lastId}`);
      [count, lastId, done] = [seq, id, event === 'done'];
      hash.update(`${id} ${event} ${data}\n`);
    },
    count: () => count,
    lastId: () => lastId,
    digest() {
      if (!done) throw new Error(`the stream ended after ${lastId}`);
      return hash.digest('hex');
    },
  };
}
