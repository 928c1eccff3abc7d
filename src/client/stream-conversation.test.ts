import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StreamingEvent } from '../views/stream/event.ts';
import { isPingEvent } from '../views/stream/guards.ts';
import {
  body,
  hanging,
  request,
  scriptedServer,
  wholeRun,
  wire,
  streamed,
} from './scripted-server.test-helper.ts';
import { readEvent } from './read-event.ts';
import { createFrameReader } from './read-frames.ts';
import { streamConversation, type ConversationStreamOptions } from './stream-conversation.ts';

async function eventsOf(options: ConversationStreamOptions): Promise<readonly StreamingEvent[]> {
  const events: StreamingEvent[] = [];
  for await (const event of streamConversation(request, options).events) events.push(event);
  return events.filter((event) => !isPingEvent(event));
}

function answering(...chunks: readonly Uint8Array[]): () => Response {
  return () => streamed(body(chunks));
}

describe('one connection', () => {
  test('X002-D1 every split of the bytes gives the same events', () => {
    const bytes = wire(wholeRun);
    const expected = JSON.stringify(wholeRun.map((event) => ({ kind: 'event', event })));
    for (let split = 0; split <= bytes.length; split += 1) {
      const reader = createFrameReader();
      const frames = [...reader.feed(bytes.slice(0, split)), ...reader.feed(bytes.slice(split))];
      const read = frames.slice(0, -1).map((frame) => readEvent(frame));
      expect(JSON.stringify(read)).toBe(expected);
    }
  });

  test.each([1, 64])('X002-D1 chunks of %i bytes give the same events', async (size) => {
    const bytes = wire(wholeRun);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    expect(await eventsOf(scriptedServer([answering(...chunks)]).options)).toEqual(wholeRun);
  });

  test.each(['\r\n', '\r'])('X002-D2.1,2,4 X002-33.1,2 lines may end with %j', async (lineEnd) => {
    const text = new TextDecoder().decode(wire(wholeRun)).replaceAll('\n', lineEnd);
    const bytes = new TextEncoder().encode(`\uFEFF: a comment${lineEnd}${text}${lineEnd}`);
    expect(await eventsOf(scriptedServer([answering(bytes)]).options)).toEqual(wholeRun);
  });

  test('X002-D2.3,5 X002-33.3 data of several lines is one text, and its blanks stay', async () => {
    const timestamp = '2026-11-21T09:30:00.000000Z';
    const text = `event:title\ndata:{"seq":1,"timestamp":"${timestamp}",\ndata: "title":"  a  "}\n\n`;
    const { options } = scriptedServer([
      answering(new TextEncoder().encode(text)),
      () => new Response(null, { status: 204 }),
    ]);
    expect(await eventsOf(options)).toEqual([
      { event: 'title', data: { seq: 1, timestamp, title: '  a  ' } },
    ]);
  });

  test('R002-46.4 X002-30.2 an unreadable event is reported and skipped, an unknown one keeps its number', async () => {
    const told: string[] = [];
    const [first, , ...rest] = wholeRun;
    if (first === undefined) throw new Error('the run has no event');
    const odd = 'event: title\ndata: {"seq":\n\nevent: novelty\ndata: {"seq":2,"timestamp":""}\n\n';
    const bytes = [wire([first]), new TextEncoder().encode(odd), wire(rest)];
    const { options, asked } = scriptedServer([answering(...bytes)]);
    const events = await eventsOf({ ...options, onMalformed: (message) => told.push(message) });
    expect(events).toEqual([first, ...rest]);
    expect(told).toEqual(['the data of an event "title" cannot be read']);
    expect(asked).toHaveLength(1);
  });

  test('R002-46.4 an unreadable event with a number is reported and skipped, and the next one is read', async () => {
    const told: string[] = [];
    const [first, second, ...rest] = wholeRun;
    if (first === undefined || second === undefined) throw new Error('the run is too short');
    const odd = [
      `id: run-1:2\nevent: thinking\ndata: {"seq":2,"content":5}\n\n`,
      `id: run-1:2\nevent: thinking\ndata: {broken\n\n`,
    ];
    for (const text of odd) {
      const bytes = [wire([first]), new TextEncoder().encode(text), wire(rest)];
      const { options, asked } = scriptedServer([answering(...bytes)]);
      const events = await eventsOf({ ...options, onMalformed: (message) => told.push(message) });
      expect(events).toEqual([first, ...rest]);
      expect(asked).toHaveLength(1);
    }
    expect(told).toHaveLength(2);
  });

  test('R002-46.4 without a handler an unreadable event is logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const odd = new TextEncoder().encode('event: title\ndata: {"seq":\n\n');
    await eventsOf(scriptedServer([answering(odd, wire(wholeRun))]).options);
    expect(warn).toHaveBeenCalledWith('collab: the data of an event "title" cannot be read');
  });

  test('an answer that is not an event stream is refused immediately, with its type', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    const { options, asked } = scriptedServer([() => new Response('<html>', { headers })]);
    await expect(eventsOf(options)).rejects.toThrow('not an event stream but text/html; charset=utf-8');
    expect(asked).toHaveLength(1);
  });

  test('an event is read when its last CR arrives, although an LF might follow', () => {
    const reader = createFrameReader();
    const text = new TextDecoder().decode(wire(wholeRun.slice(0, 1))).replaceAll('\n', '\r');
    expect(reader.feed(new TextEncoder().encode(text)).map(({ event }) => event)).toContain('init');
    expect(reader.feed(new TextEncoder().encode('\n'))).toEqual([]);
  });

  test('the request accepts an event stream and no cached response', async () => {
    const { options, asked } = scriptedServer([
      answering(wire(wholeRun.slice(0, 3))),
      answering(wire(wholeRun.slice(3))),
    ]);
    await eventsOf(options);
    const wanted = { accept: 'text/event-stream', 'cache-control': 'no-store' };
    expect(asked).toMatchObject([{ headers: wanted }, { headers: wanted }]);
  });

  test('R002-9 R002-45.4 posts the request as a form', async () => {
    const { options, asked } = scriptedServer([answering(wire(wholeRun))]);
    await eventsOf(options);
    expect(asked).toMatchObject([
      { method: 'POST', url: 'http://server/api/tenants/t/conversations/c/stream' },
    ]);
    const form = asked[0]?.body;
    expect(form instanceof FormData ? form.get('request_data') : null).toBe(JSON.stringify(request));
  });

  test.each([
    ['HTTP error: 503', () => new Response('', { status: 503 })],
    ['Response body is null', () => new Response(null)],
  ])('R002-45.5,6 %s', async (message, answer) => {
    await expect(eventsOf(scriptedServer([answer]).options)).rejects.toThrow(message);
  });
});

describe('several connections', () => {
  test('X002-2.5 wherever the stream is cut, each event comes once and in order', async () => {
    const bytes = wire(wholeRun);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), fc.nat(3), fc.boolean(), async (cut, again, breaks) => {
        const got =
          new TextDecoder().decode(bytes.slice(0, cut)).match(/^id: .*\ndata: .*\n\n/gm)?.length ?? 0;
        const from = Math.max(0, got - again);
        const { options } = scriptedServer([
          () => streamed(body([bytes.slice(0, cut)], breaks ? 'breaks' : 'ends')),
          answering(wire(wholeRun.slice(from))),
        ]);
        expect(await eventsOf(options)).toEqual(wholeRun);
      }),
      { numRuns: 50 },
    );
  });

  test('X002-D2.4 asks for what follows its last event, after the time that the server named', async () => {
    const { options, asked, slept } = scriptedServer([
      answering(wire(wholeRun.slice(0, 3))),
      answering(wire(wholeRun.slice(3))),
    ]);
    await eventsOf(options);
    expect(asked[1]).toMatchObject({
      method: 'GET',
      url: 'http://server/api/tenants/t/conversations/c/stream?after=run-1%3A3',
      lastEventId: 'run-1:3',
    });
    expect(slept).toEqual([2000]);
  });

  test('before the first event, asks for the whole stream', async () => {
    const { options, asked } = scriptedServer([answering(wire([])), answering(wire(wholeRun))]);
    expect(await eventsOf(options)).toEqual(wholeRun);
    expect(asked[1]).toMatchObject({
      method: 'GET',
      url: 'http://server/api/tenants/t/conversations/c/stream',
      lastEventId: null,
    });
  });

  test('X002-2.6 X002-D6.2 a gap is filled from the last event on', async () => {
    const { options, asked } = scriptedServer([
      answering(wire([...wholeRun.slice(0, 2), ...wholeRun.slice(3)])),
      answering(wire(wholeRun.slice(2))),
    ]);
    expect(await eventsOf(options)).toEqual(wholeRun);
    expect(asked[1]?.lastEventId).toBe('run-1:2');
  });

  test('X002-2.6 a gap is filled by another connection although the first one stays open', async () => {
    const { options, asked } = scriptedServer([
      () => streamed(hanging([wire([...wholeRun.slice(0, 2), ...wholeRun.slice(3)])])),
      answering(wire(wholeRun.slice(2))),
    ]);
    expect(await eventsOf(options)).toEqual(wholeRun);
    expect(asked).toHaveLength(2);
  });

  test('X002-12.4 stops where the server has nothing more', async () => {
    const { options, asked } = scriptedServer([
      answering(wire(wholeRun.slice(0, 3))),
      () => new Response(null, { status: 204 }),
    ]);
    expect(await eventsOf(options)).toEqual(wholeRun.slice(0, 3));
    expect(asked).toHaveLength(2);
  });

  test('a server that stays away is retried a few times, with growing delays', async () => {
    const { options, slept } = scriptedServer([answering(wire(wholeRun.slice(0, 3)))]);
    await expect(eventsOf(options)).rejects.toThrow('The stream was lost: fetch failed');
    expect(slept).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  test('a proxy that answers a page of its own is named after one request, wherever the stream was cut', async () => {
    const { options, asked } = scriptedServer([answering(wire(wholeRun.slice(0, 3))), proxyPage, proxyPage]);
    await expect(eventsOf(options)).rejects.toThrow(
      'not an event stream but text/html: a proxy may have sent it',
    );
    expect(asked).toHaveLength(2);
  });

  test('a silent connection is given up', async () => {
    const { options, asked } = scriptedServer([
      () => streamed(hanging([wire(wholeRun.slice(0, 3))])),
      answering(wire(wholeRun.slice(3))),
    ]);
    expect(
      await eventsOf({ ...options, sleep: () => new Promise((resolve) => setImmediate(resolve)) }),
    ).toEqual(wholeRun);
    expect(asked).toHaveLength(2);
  });
});

/** Requests to a server that accepts them and never answers. */
function unanswered(): { readonly options: ConversationStreamOptions; readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  const fetch = async (_url: unknown, { signal }: RequestInit = {}) =>
    new Promise<Response>((_resolve, reject) => {
      if (!signal) return reject(new Error('no signal'));
      signals.push(signal);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return { options: { ...scriptedServer([]).options, fetch }, signals };
}

describe('a request without an answer', () => {
  test('is given up after a silence, and the error says so', async () => {
    const { options } = unanswered();
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    await expect(eventsOf({ ...options, sleep })).rejects.toThrow('The server does not answer');
    expect(waits).toEqual([35_000]);
  });

  test('is aborted by disconnect, without an error', async () => {
    const { options, signals } = unanswered();
    const stream = streamConversation(request, options);
    const reading = stream.events[Symbol.asyncIterator]().next();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    stream.disconnect();
    expect(await reading).toEqual({ done: true, value: undefined });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('aborting and canceling', () => {
  test('X002-11.6 X002-D7 cancel ends the run on the server, and names the run', async () => {
    const { options, asked } = scriptedServer([
      () => streamed(hanging([wire(wholeRun.slice(0, 3))])),
      () => new Response('{}', { status: 202 }),
    ]);
    const stream = streamConversation(request, options);
    const seen: StreamingEvent[] = [];
    for await (const event of stream.events) {
      seen.push(event);
      if (event.data.seq === 3) await stream.cancel();
    }
    expect(seen.filter((event) => !isPingEvent(event))).toEqual(wholeRun.slice(0, 3));
    expect(asked[1]).toMatchObject({
      method: 'POST',
      url: 'http://server/api/tenants/t/conversations/c/cancel',
      body: '{"run_id":"run-1"}',
    });
  });

  test('X002-11.7 disconnect asks the server for nothing', async () => {
    const { options, asked } = scriptedServer([() => streamed(hanging([wire(wholeRun.slice(0, 3))]))]);
    const stream = streamConversation(request, options);
    for await (const event of stream.events) if (event.data.seq === 3) stream.disconnect();
    expect(asked).toHaveLength(1);
  });
});

function proxyPage(): Response {
  return new Response('<html>', { headers: { 'content-type': 'text/html' } });
}
