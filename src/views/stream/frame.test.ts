import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DoneEvent, StreamingEvent } from './event.ts';
import { encodeFrame, encodeOpening, parseEventId, pingEvent, renderEventId } from './frame.ts';
import { withMessages } from './messages.ts';

const timestamp = '2026-11-21T09:30:00.000000Z';

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

test('R002-2.1 X002-12.1 a frame is the name, the id and the inner data', () => {
  const event: StreamingEvent = { event: 'title', data: { seq: 3, timestamp, title: 'two\nlines' } };
  expect(text(encodeFrame('run-1', event))).toBe(
    `event: title\nid: run-1:3\ndata: {"seq":3,"timestamp":"${timestamp}","title":"two\\nlines"}\n\n`,
  );
});

test('R002-20.1,2 X002-1.1,2 a ping has the number 0 and no id', () => {
  expect(text(encodeFrame('run-1', pingEvent(timestamp, 15_000)))).toBe(
    `event: ping\ndata: {"seq":0,"timestamp":"${timestamp}","elapsed_ms":15000}\n\n`,
  );
});

test('X002-12.5 the stream opens with the time after which a reader asks again', () => {
  expect(text(encodeOpening())).toBe('retry: 2000\n\n');
});

test('X002-12.1 the id of an event is read back', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\w.-]{1,128}$/), fc.nat(), (runId, seq) => {
      expect(parseEventId(renderEventId({ runId, seq }))).toEqual({ runId, seq });
    }),
  );
});

test.each(['', '7', 'run:', ':7', 'run:-1', 'run:1:2', '../run:1', 'run:1.5', `run:${'9'.repeat(16)}`])(
  'X002-26.2 %j is no id of an event',
  (id) => {
    expect(parseEventId(id)).toBeNull();
  },
);

test('X002-22.1,3 messages go with done; more than 256 KiB of them are left out, which it says', () => {
  const done: DoneEvent = {
    event: 'done',
    data: {
      seq: 1,
      timestamp,
      status: 'success',
      result: null,
      is_error: false,
      errors: null,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        cache_creation_5m_tokens: 0,
        cache_creation_1h_tokens: 0,
        cache_read_tokens: 0,
        total_tokens: 0,
      },
      cost_usd: '0',
      turn_count: 0,
      duration_ms: 0,
    },
  };
  const fitting = ['x'.repeat(256 * 1024 - 4)];
  expect(withMessages(done, fitting).data).toEqual({ ...done.data, messages: fitting });
  expect(withMessages(done, [`${fitting[0]}y`]).data).toEqual({ ...done.data, messages_omitted: true });
});
