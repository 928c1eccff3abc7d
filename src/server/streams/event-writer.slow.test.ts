import { afterEach, expect, test } from 'vitest';
import { type Reader } from '../event-readers.test-helper.ts';
import { lineOf } from '../../engine/journal/journal-line.ts';
import { longRun } from '../long-run.test-helper.ts';
import { serve, open, idsUpTo } from './event-writer.test-helper.ts';

afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

test('X002-29.1,2 a reader that takes nothing is cut off and resumes without a gap; the others are given all', async () => {
  const { stream, clock, connect, written } = await serve();
  const run = longRun(2000, 10_000);
  const stalled = await connect(0, 'stalls');
  const other = await connect();
  stream.push(run.slice(0, -1).map(lineOf));
  await expect.poll(() => written[0]?.response.writableNeedDrain).toBe(true);
  await expect.poll(() => hasAll(other)).toBe(true);
  // Unread data stays at its source, and no sign of life is added.
  const waiting = written[0]?.response.writableLength ?? 0;
  expect(waiting).toBeLessThan(1024 * 1024);
  await clock.advance(10_000);
  expect(written[0]?.response.writableLength).toBe(waiting);
  expect(written.map(({ isOver }) => isOver)).toEqual([false, false]);
  await clock.advance(10_000);
  await expect.poll(() => written.map(({ isOver }) => isOver)).toEqual([true, false]);

  stream.push(run.slice(-1).map(lineOf));
  await other.closed;
  stalled.resume();
  await stalled.closed;
  const had = idLinesOf(stalled);
  expect(had.length).toBeLessThan(2000);
  const back = await connect(had.length);
  await back.closed;
  const all = idLinesOf(other);
  expect(all).toEqual(idsUpTo(all.length));
  expect([...had, ...idLinesOf(back)]).toEqual(all);
});

/** Returns true if the reader has the texts of the whole run. The size is checked first: a search in 20 MB takes long. */
function hasAll({ sizeBytes, text }: Reader): boolean {
  return sizeBytes() > 2000 * 10_000 && text().includes('"text":"1999 ');
}

/** The same of whole frames in 20 MB, without reading their events. */
function idLinesOf({ text }: Reader): readonly (string | undefined)[] {
  const whole = text();
  const frames = whole.slice(0, whole.lastIndexOf('\n\n'));
  return [...frames.matchAll(/^id: (.+)$/gm)].map(([, id]) => id);
}
