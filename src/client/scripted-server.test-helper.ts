import {
  called,
  ended,
  eventStream,
  said,
  started,
  used,
} from '../../test/fixtures/screens/event-streams.ts';
import { encodeFrame, encodeOpening, pingEvent } from '../views/stream/frame.ts';
import { projectToStreaming } from '../views/stream/projection.ts';
import type { StreamingEvent, StreamRequest } from '../views/stream/event.ts';
import type { ConversationStreamOptions } from './stream-conversation.ts';

/** A whole run; characters outside ASCII take several bytes. */
export const wholeRun: readonly StreamingEvent[] = projectToStreaming(
  eventStream([
    started(),
    { type: 'thinking.delta', block_id: 't', text: '考える' },
    ...said('こんにちは 👋 '),
    called('c1', 'Read', { file_path: 'a.ts' }),
    used(1500, 500, 0.0075),
    ended(),
  ]),
);

export const request: StreamRequest = {
  user_input: 'hello',
  executor: { user_id: 'user-001', name: 'User', email: 'user@example.com' },
};

/** Events as a stream of their own, from 1 on. */
export function numbered(events: readonly StreamingEvent[]): readonly StreamingEvent[] {
  return events.map((event, index) => renumbered(event, index + 1));
}

function renumbered(event: StreamingEvent, seq: number): StreamingEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...event, data: { ...event.data, seq } } as StreamingEvent;
}

/** Returns the bytes of events on the wire, with the opening and a ping. */
export function wire(events: readonly StreamingEvent[]): Uint8Array {
  const ping = encodeFrame('run-1', pingEvent('2026-11-21T09:30:00.000000Z', 10_000));
  return joined([encodeOpening(), ...events.map((event) => encodeFrame('run-1', event)), ping]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** A connection's bytes, in these chunks; it ends, or breaks. */
export function body(
  chunks: readonly Uint8Array[],
  end: 'ends' | 'breaks' = 'ends',
): ReadableStream<Uint8Array> {
  const waiting = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = waiting.shift();
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (end === 'ends') controller.close();
      else controller.error(new Error('reset'));
    },
  });
}

/** An answer with an event stream. */
export function streamed(
  stream: ReadableStream<Uint8Array>,
  { headers = {} }: { readonly headers?: object } = {},
): Response {
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', ...headers } });
}

/** A connection that sends its data and is then silent until its reader disconnects. */
export function hanging(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const waiting = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = waiting.shift();
      return chunk === undefined ? new Promise(() => undefined) : controller.enqueue(chunk);
    },
  });
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly lastEventId: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A server that sends one answer after the other and records its requests. */
export function scriptedServer(answers: readonly (() => Response)[]): {
  readonly asked: Asked[];
  readonly slept: number[];
  readonly options: ConversationStreamOptions;
} {
  const asked: Asked[] = [];
  const slept: number[] = [];
  const waiting = [...answers];
  return {
    asked,
    slept,
    options: {
      tenantId: 't',
      conversationId: 'c',
      baseUrl: 'http://server',
      fetch: async (url, init) => {
        asked.push({
          method: init?.method ?? 'GET',
          url: String(url instanceof Request ? url.url : url),
          lastEventId: new Headers(init?.headers).get('last-event-id'),
          headers: Object.fromEntries(new Headers(init?.headers)),
          body: init?.body,
        });
        const answer = waiting.shift();
        if (answer === undefined) throw new TypeError('fetch failed');
        return answer();
      },
      // Waits for silence never end; a delay before another attempt ends immediately.
      sleep: (ms, signal) => {
        if (ms < 35_000) slept.push(ms);
        if (ms < 35_000 || signal.aborted) return Promise.resolve();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    },
  };
}
