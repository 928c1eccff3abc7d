import { getEventListeners } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import type { StreamFrame } from '../../client/read-frames.ts';
import { lineOf } from '../../engine/journal/journal-line.ts';
import { longRun } from '../long-run.test-helper.ts';
import { serve, open, idsUpTo } from './event-writer.test-helper.ts';

afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

test('X002-28 the headers and the opening come before anything happens, uncompressed', async () => {
  const { connect } = await serve();
  const { headers, text } = await connect();
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(headers).not.toHaveProperty('content-encoding');
  await expect.poll(text).toBe('retry: 2000\n\n');
});

test('R002-8 X002-12.1,5 each event comes with its id, and after done the server closes the connection', async () => {
  const { stream, connect } = await serve();
  const reader = await connect();
  stream.push(longRun(3).map(lineOf));
  await reader.closed;
  expect(reader.headers['connection']).toBe('close');
  const frames = reader.frames();
  expect(idsOf(frames)).toEqual(idsUpTo(frames.length));
  expect(frames.at(-1)?.event).toBe('done');
  expect(reader.text().match(/^retry: /gm)).toHaveLength(1);
});

test('R002-7 R002-20 X002-1.1,2,4,5 a ping comes every ten seconds, without an id, and tells how long the run takes', async () => {
  const { stream, clock, connect } = await serve();
  stream.push(longRun(3).slice(0, 3).map(lineOf));
  await clock.advance(4000);
  const reader = await connect();
  await clock.advance(9999);
  await expect.poll(reader.text).toContain('event: init');
  expect(pingsOf(reader.frames())).toEqual([]);
  await clock.advance(1);
  await expect.poll(() => pingsOf(reader.frames())).toHaveLength(1);
  await clock.advance(20_000);
  await expect
    .poll(() => pingsOf(reader.frames()))
    .toEqual([
      { seq: 0, timestamp: '2026-11-21T09:30:14.000000Z', elapsed_ms: 14_000 },
      { seq: 0, timestamp: '2026-11-21T09:30:24.000000Z', elapsed_ms: 24_000 },
      { seq: 0, timestamp: '2026-11-21T09:30:34.000000Z', elapsed_ms: 34_000 },
    ]);
  expect(reader.text()).not.toMatch(/event: ping\nid/);
});

test('X002-1.3 before the first event there is no ping, but a sign of life', async () => {
  const { clock, connect } = await serve();
  const reader = await connect();
  await clock.advance(10_000);
  await expect.poll(reader.text).toBe('retry: 2000\n\n:\n\n');
});

test('X002-12.2 a reader that comes back gets what follows its place', async () => {
  const { stream, connect } = await serve();
  stream.push(longRun(5).map(lineOf));
  const whole = await connect();
  await whole.closed;
  const rest = await connect(4);
  await rest.closed;
  expect(idsOf(rest.frames())).toEqual(idsOf(whole.frames()).slice(4));
});

test('a server that stops ends its streams, so that their readers return', async () => {
  const { stream, connect, stop, written } = await serve();
  stream.push(longRun(3).slice(0, 3).map(lineOf));
  const reader = await connect();
  await expect.poll(reader.text).toContain('event: init');
  stop.abort();
  await reader.closed;
  await expect.poll(() => written.map(({ isOver }) => isOver)).toEqual([true]);
});

test('a reader that disconnects is not written to anymore', async () => {
  const { stream, connect, written, stop } = await serve();
  const reader = await connect();
  reader.leave();
  await expect.poll(() => written.map(({ isOver }) => isOver)).toEqual([true]);
  // A server that runs for months would keep each connection.
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  stream.push(longRun(3).map(lineOf));
  expect(written[0]?.response.destroyed).toBe(true);
});

/** Numbered frames only. */
function idsOf(frames: readonly StreamFrame[]): readonly string[] {
  return frames.flatMap(({ id, event }) => (event === 'ping' || id === null ? [] : [id]));
}

function pingsOf(frames: readonly StreamFrame[]): readonly unknown[] {
  return frames.filter(({ event }) => event === 'ping').map(({ data }): unknown => JSON.parse(data));
}
