/** The client of the installed library at servers that a test scripts: odd bytes, cuts, gaps, two runs at once. */
import { describe, expect, test, vi } from 'vitest';
import { eventStream, started } from '../fixtures/screens/event-streams.ts';
import {
  body,
  hanging,
  numbered,
  request,
  scriptedServer,
  streamed,
  wholeRun,
  wire,
} from '../../src/client/scripted-server.test-helper.ts';
import { streamingEventNames, type StreamingEvent } from '../../src/views/stream/event.ts';
import { projectToStreaming } from '../../src/views/stream/projection.ts';
import { installedEntry } from './installed-library.ts';

const library = installedEntry('client');
const timestamp = '2026-11-21T09:30:00.000000Z';
const over = (): Response => new Response(null, { status: 204 });

/** The events that a program gets from these answers, and the requests that it made. */
async function received(...answers: readonly (() => Response)[]) {
  const { options, asked } = scriptedServer(answers);
  const malformed: string[] = [];
  const onMalformed = (message: string): void => void malformed.push(message);
  const events: StreamingEvent[] = [];
  for await (const event of library().streamConversation(request, { ...options, onMalformed }).events)
    events.push(event);
  return { events: events.filter((event) => !library().isPingEvent(event)), asked, malformed };
}

function conversationOf(...answers: readonly (() => Response)[]) {
  const { options, asked } = scriptedServer(answers);
  return { asked, conversation: library().createConversation(options) };
}

const chunks =
  (...parts: readonly Uint8Array[]) =>
  (): Response =>
    streamed(body(parts));
const written = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the bytes of a stream', () => {
  test('X002-D1 give the same events at every split, and a byte at a time', async () => {
    const bytes = wire(wholeRun);
    for (let split = 0; split <= bytes.length; split += 7)
      expect((await received(chunks(bytes.slice(0, split), bytes.slice(split)))).events).toEqual(wholeRun);
    const alone = Array.from(bytes, (_byte, index) => bytes.slice(index, index + 1));
    expect((await received(chunks(...alone))).events).toEqual(wholeRun);
  });

  test.each(['\n', '\r\n', '\r'])(
    'X002-D2.1,2,4 X002-33.1-3 are read with a BOM, comments and lines that end in %j',
    async (end) => {
      const text = new TextDecoder().decode(wire(wholeRun)).replaceAll('\n', end);
      const { events } = await received(chunks(written(`\uFEFF: a comment${end}${text}`)));
      expect(events).toEqual(wholeRun);
    },
  );

  test('X002-D2.3,5 X002-33.3-5 join the lines of data, keep blanks and the last whole id, and drop an unfinished event', async () => {
    const title = `"timestamp":"${timestamp}",\ndata: "title":"  a  "}\n\n`;
    const { events, asked } = await received(
      chunks(
        written(
          `id: run-1:1\nevent:title\ndata:{"seq":1,${title}id: run-1:9\0\nevent: title\ndata: {"seq":2,${title}event: title\ndata: {"seq":3}`,
        ),
      ),
      over,
    );
    expect(events.map(({ event, data }) => [event, data.seq, 'title' in data && data.title])).toEqual([
      ['title', 1, '  a  '],
      ['title', 2, '  a  '],
    ]);
    expect(asked[1]?.lastEventId).not.toContain('9');
  });

  test('R002-46.4 X002-30.2 with an unreadable and an unknown event are read to the end, and the first one is reported', async () => {
    const [first, , ...rest] = wholeRun;
    if (first === undefined) throw new Error('the run has no event');
    const numberedOnes = ['{"seq":2,"content":5}', '{broken'].map(
      (data) => `id: run-1:2\nevent: thinking\ndata: ${data}\n\n`,
    );
    for (const odd of numberedOnes) {
      const read = await received(chunks(wire([first]), written(odd), wire(rest)));
      expect([read.events, read.asked.length, read.malformed.length]).toEqual([[first, ...rest], 1, 1]);
    }
    const odd = 'event: title\ndata: {"seq":\n\nevent: novelty\ndata: {"seq":2,"timestamp":""}\n\n';
    const { events, asked, malformed } = await received(chunks(wire([first]), written(odd), wire(rest)));
    expect(events).toEqual([first, ...rest]);
    expect(malformed).toEqual(['the data of an event "title" cannot be read']);
    expect(asked).toHaveLength(1);
  });
});

describe('a connection that is lost', () => {
  test('X002-2.5,6 X002-D6.2 costs no event: one that comes twice is dropped, a gap is filled from the last number', async () => {
    const twice = await received(
      () => streamed(body([wire(wholeRun.slice(0, 4))], 'breaks')),
      chunks(wire(wholeRun.slice(2))),
    );
    expect(twice.events).toEqual(wholeRun);
    const gap = await received(
      chunks(wire([...wholeRun.slice(0, 2), ...wholeRun.slice(3)])),
      chunks(wire(wholeRun.slice(2))),
    );
    expect(gap.events).toEqual(wholeRun);
    expect(gap.asked[1]?.lastEventId).toBe('run-1:2');
    const early = await received(() => streamed(body([], 'breaks')), chunks(wire(wholeRun)));
    expect([early.events, early.asked[1]?.lastEventId]).toEqual([wholeRun, null]);
  });
});

describe('a conversation', () => {
  test('R002-45.1-3 X002-D3 in which a new run begins before the old one ended shows the new one alone', async () => {
    const { conversation } = conversationOf(
      () => streamed(hanging([wire(wholeRun.slice(0, 3))])),
      () => streamed(hanging([wire(wholeRun.slice(0, 2))])),
    );
    const onError = vi.fn<() => void>();
    const arrived = new Promise<void>((resolve) => {
      conversation.subscribe(() => conversation.getState().lastSeq === 3 && resolve());
    });
    const first = conversation.execute(request, { onError });
    await arrived;
    void conversation.execute(request);
    expect(conversation.getState()).toMatchObject({ isStreaming: true, lastSeq: 0, thinkingText: '' });
    await first;
    expect(conversation.getState().isStreaming).toBe(true);
    conversation.disconnect();
    expect(conversation.getState().isStreaming).toBe(false);
    expect(onError).not.toHaveBeenCalled();
  });

  test('X002-D4 keeps the text of a sub-agent apart from that of the main agent', async () => {
    const events = projectToStreaming(
      eventStream([
        started(),
        { type: 'agent.started', agent_id: 'a', agent_type: 'Explore', description: 'look' },
        { body: { type: 'text.delta', block_id: 'b', text: 'theirs' }, parentAgentId: 'a' },
        { type: 'agent.ended', agent_id: 'a', status: 'completed' },
        { type: 'text.delta', block_id: 'b', text: 'mine' },
      ]),
    );
    const { conversation } = conversationOf(chunks(wire(events)), over);
    const texts: string[] = [];
    await conversation.execute(request, { onAssistant: (text) => texts.push(text) });
    expect(texts.join('')).toBe('mine');
    const { currentText, agents } = conversation.getState();
    expect([currentText, agents.get('a')]).toMatchObject(['mine', { type: 'Explore', text: 'theirs' }]);
  });

  test('R002-44.6,10,11 X002-D5 passes on progress, a full context and that its input is disabled', async () => {
    const base = { seq: 0, timestamp };
    const full: StreamingEvent = {
      event: 'context_status',
      data: {
        ...base,
        current_context_tokens: 95,
        max_context_tokens: 100,
        usage_percent: 95,
        warning_level: 'blocked',
        can_continue: false,
        message: 'it is full',
        recommended_action: 'new_chat',
      },
    };
    const progress: StreamingEvent = {
      event: 'progress',
      data: { ...base, type: 'thinking', message: '思考中...' },
    };
    const run = numbered([...wholeRun.slice(0, 1), progress, full, ...wholeRun.slice(-1)]);
    const { conversation } = conversationOf(chunks(wire(run)));
    const called: unknown[] = [];
    await conversation.execute(request, {
      onProgress: (...values) => called.push(values),
      onContextStatus: ({ warning_level: level }) => called.push(level),
      onInputDisabled: (...values) => called.push(values),
    });
    expect(called).toEqual([['thinking', '思考中...'], 'blocked', [true, 'it is full']]);
    expect(conversation.getState()).toMatchObject({
      isInputDisabled: true,
      contextStatus: { usagePercent: 95 },
    });
  });

  test('X002-30.1 X002-15.3 X002-20.3 never repeats an error of an unknown type, and ignores fields that it does not know', async () => {
    const error = {
      seq: 1,
      timestamp,
      message: 'no',
      recoverable: true,
      parent_agent_id: null,
      novelty: [1],
    };
    const recoverable: boolean[] = [];
    for (const error_type of ['timeout_error', 'novelty_error']) {
      const text = `event: error\ndata: ${JSON.stringify({ ...error, error_type })}\n\n`;
      const { conversation } = conversationOf(chunks(written(text), wire(numbered(wholeRun).slice(1))));
      await conversation.execute(request, { onError: (_message, again) => recoverable.push(again) });
    }
    expect(recoverable).toEqual([true, false]);
  });

  test('R002-45.6 ends with an error when its answer has no body', async () => {
    const { conversation } = conversationOf(() => new Response(null));
    await conversation.execute(request);
    expect(conversation.getState()).toMatchObject({ error: 'Response body is null', isStreaming: false });
  });
});

test('R002-42 each of the thirteen guards knows the events of its name alone', () => {
  const names = Object.keys(library()).filter((name) => /^is\w+Event$/.test(name));
  expect(names).toHaveLength(13);
  for (const name of names) {
    const guard: unknown = Reflect.get(library(), name);
    if (typeof guard !== 'function') throw new Error(`${name} is no function`);
    const known = streamingEventNames.filter((event) => Reflect.apply(guard, null, [{ event, data: {} }]));
    expect(known.map((event) => event.replaceAll('_', ''))).toEqual([
      name.replace(/^is(\w+)Event$/, '$1').toLowerCase(),
    ]);
  }
});
