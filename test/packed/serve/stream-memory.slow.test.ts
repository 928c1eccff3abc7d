/** The memory cost of a stalled reader during a long run. */
import { describe } from 'vitest';
import { answered, called, ended, eventStream, started } from '../../fixtures/screens/event-streams.ts';
import type { CollabEvent, EventBody } from '../../../src/events/collab-event.ts';
import { Deferred } from '../../../src/system/deferred.ts';
import { test } from '../place.ts';
import { forgetPeak, openSockets, peakBytes } from './process-memory.ts';
import { beginWrittenRun, serve, streamOf, type WrittenRun } from './served.ts';
import { until } from '../started-command.ts';
import { readStream } from './stream-reader.ts';

const million = 1_000_000;
const mostGrowthBytes = 50 * 1024 * 1024;

describe.runIf(process.platform === 'linux')('a run of a million events', () => {
  test(
    'X002-12.2 X002-29.1,2 costs no memory for a reader that stands still, which is cut off and resumes; others get all',
    { timeout: 300_000 },
    async ({ place, expect }) => {
      const served = await serve(place);
      const pid = served.pid();
      const sockets = openSockets(pid);
      await writeRun(beginWrittenRun(place, 'before', 'run-0'), million / 10);
      await Promise.all([1, 2].map(() => readStream(streamOf(served, 'before')).whole));
      await until('the readers have left', () => openSockets(pid) === sockets);
      forgetPeak(pid);
      const before = peakBytes(pid);

      const run = beginWrittenRun(place, 'long', 'run-1');
      const url = streamOf(served, 'long');
      const hold = new Deferred<void>();
      const stalled = readStream(url, { stallsUntil: hold.promise });
      const others = [1, 2].map(() => readStream(url));
      await until('three readers', () => openSockets(pid) === sockets + 3);
      await writeRun(run, million);
      const [whole, ...rest] = await Promise.all(others.map((reader) => reader.whole));
      expect(rest).toEqual([whole]);
      expect(others.map(({ cuts }) => cuts())).toEqual([1, 1]);
      await until('the reader that stands still is cut off', () => openSockets(pid) === sockets);
      expect(peakBytes(pid) - before).toBeLessThan(mostGrowthBytes);

      hold.resolve();
      expect(await stalled.whole).toBe(whole);
      expect(stalled.cuts()).toBe(2);
      expect(stalled.count()).toBeGreaterThan(million);
      expect(served.stderr()).toBe('');
    },
  );
});

/** An agent that sends a thousand words between two calls of a tool. */
async function writeRun({ write }: WrittenRun, events: number): Promise<void> {
  const turn: readonly EventBody[] = [
    ...Array.from({ length: 998 }, (): EventBody => ({ type: 'text.delta', block_id: 'b', text: 'a word ' })),
    called('call', 'Read', { file_path: 'a.ts' }),
    answered('call', 'Read', 'what it holds'),
  ];
  const shape = eventStream(turn);
  write(eventStream([started()]));
  for (let seq = 2; seq < events; seq += shape.length) {
    write(shape.slice(0, events - seq).map((event): CollabEvent => ({ ...event, seq: event.seq + seq - 1 })));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  write(eventStream([ended()]).map((event) => ({ ...event, seq: events })));
}
