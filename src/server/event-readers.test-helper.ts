/** A server that only streams one run, and its readers. */
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { closeServer, listen } from '../system/loopback.ts';
import { createFrameReader, type StreamFrame } from '../client/read-frames.ts';
import { createManualClock, type ManualClock } from '../system/manual-clock.test-helper.ts';
import { writeEvents } from './streams/event-writer.ts';
import { createStreamingFraming } from './streams/framing.ts';
import { createRunStream, type RunStream } from './streams/run-stream.ts';

export interface StreamServer {
  readonly stream: RunStream;
  readonly clock: ManualClock;
  /** One for each reader so far. */
  readonly written: readonly Written[];
  /** Stops the server's streams. */
  readonly stop: AbortController;
  readonly connect: (lastSeq?: number, how?: 'reads' | 'stalls') => Promise<Reader>;
  close(): Promise<void>;
}

export interface Written {
  readonly response: ServerResponse;
  isOver: boolean;
}

export interface Reader {
  readonly headers: IncomingMessage['headers'];
  /** All bytes received so far. */
  readonly text: () => string;
  readonly sizeBytes: () => number;
  frames(): readonly StreamFrame[];
  /** Continues to read from the point of the stall. */
  resume(): void;
  leave(): void;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
}

export async function serveStream(): Promise<StreamServer> {
  const clock = createManualClock();
  const framing = createStreamingFraming({ runId: 'run-1', projection: {}, messages: () => null });
  const stream = createRunStream({ runId: 'run-1', clock, framing, folder: tmpdir() });
  const stop = new AbortController();
  const written: Written[] = [];
  const server = createServer((request, response) => {
    const one: Written = { response, isOver: false };
    written.push(one);
    const after = Number(request.headers['last-event-id'] ?? 0);
    void write(one, after);
  });
  const port = await listen(server);

  async function write(one: Written, after: number): Promise<void> {
    await writeEvents({ source: stream, after, response: one.response, clock, signal: stop.signal });
    one.isOver = true;
  }

  return {
    stream,
    clock,
    written,
    stop,
    connect: (lastSeq = 0, how = 'reads') => connect(port, lastSeq, how),
    async close() {
      stop.abort();
      await closeServer(server);
      await stream.leave();
    },
  };
}

async function connect(port: number, lastSeq: number, how: 'reads' | 'stalls'): Promise<Reader> {
  const request = get({
    port,
    host: '127.0.0.1',
    agent: false,
    headers: { 'accept-encoding': 'gzip, br', ...(lastSeq === 0 ? {} : { 'last-event-id': lastSeq }) },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
  });
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const closed = new Promise<void>((resolve) => {
    response.on('close', resolve);
    // A connection that is cut off.
    response.on('error', () => resolve());
  });
  const read = (): unknown =>
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      sizeBytes += chunk.length;
    });
  if (how === 'reads') read();
  return {
    headers: response.headers,
    sizeBytes: () => sizeBytes,
    text: () => Buffer.concat(chunks).toString('utf8'),
    frames: () => [...createFrameReader().feed(Buffer.concat(chunks))],
    resume: () => void read(),
    leave: () => void request.destroy(),
    closed,
  };
}
