/** Readers that are cut at random points, while the server is killed and started again. */
import { describe } from 'vitest';
import { longRun } from '../../../src/server/long-run.test-helper.ts';
import { example, test } from '../place.ts';
import { callsOf } from '../rehearsal-calls.ts';
import { beginWrittenRun, say, serve, streamOf } from './served.ts';
import { assertLawful } from '../../../src/views/stream/laws.test-helper.ts';
import { until } from '../started-command.ts';
import { readStream } from './stream-reader.ts';

const parts = 30;
const run = longRun(3000);

describe('100 readers of a run', () => {
  test(
    'X002-12.6 see each event once and in order, cut at random points, the server killed three times',
    { timeout: 180_000 },
    async ({ place, expect }) => {
      const served = await serve(place);
      const { write } = beginWrittenRun(place, 'long', 'run-1');
      write(run.slice(0, 1));
      const url = streamOf(served, 'long');
      const readers = Array.from({ length: 100 }, (_, index) =>
        readStream(url, { cutAfter: randomCuts(index + 1, 60_000) }),
      );
      const uncut = readStream(url);
      const size = Math.ceil(run.length / parts);
      for (let part = 0; part < parts; part += 1) {
        write(run.slice(part * size + (part === 0 ? 1 : 0), (part + 1) * size));
        const killed = part % 10 === 5;
        if (killed) await served.kill();
        if (killed) await served.start();
        else await until(`part ${part}`, () => readers.some(({ count }) => count() > part * size));
      }
      const whole = await uncut.whole;
      expect(new Set(await Promise.all(readers.map((reader) => reader.whole)))).toEqual(new Set([whole]));
      expect(new Set(readers.map(({ count }) => count()))).toEqual(new Set([uncut.count()]));
      expect(uncut.count()).toBeGreaterThan(3000);
      expect(Math.min(...readers.map(({ cuts }) => cuts()))).toBeGreaterThan(3);
      expect(served.stderr()).toBe('');
    },
  );

  test('X002-9.6 X002-12.6 and so they do where the server that is killed had driven the run, which goes on in the next', async ({
    place,
    expect,
  }) => {
    place.write('collab.config.yaml', 'chunk_tokens: 700\nconcurrency: 1\n');
    const served = await serve(place, ['--advisor', place.rehearsal('four-chunks-slow'), '--lead', 'none']);
    await say(served, 'killed', `/review ${example('checkout.diff')}`);
    const url = streamOf(served, 'killed');
    const readers = Array.from({ length: 100 }, (_, index) =>
      readStream(url, { cutAfter: randomCuts(index + 1, 2000) }),
    );
    await until('a call that takes long', () => callsOf(place).includes('begin ex_chunk-3/1/1'));
    await until('a reader', () => readers.some(({ count }) => count() > 5));
    await served.kill();
    await served.start();
    const recorded = readStream(url, { records: true });
    const digests = await Promise.all([recorded, ...readers].map((reader) => reader.whole));
    expect(new Set(digests).size).toBe(1);
    assertLawful(recorded.events());
    expect(callsOf(place).filter((call) => call.startsWith('end '))).toHaveLength(4);
    expect(served.stderr()).toBe('');
  });
});

/** Byte counts for the first connections: the same ones in each run of this test. */
function* randomCuts(seed: number, mostBytes: number): Generator<number> {
  let state = seed;
  for (let cut = 0; cut < 12; cut += 1) {
    state = (state * 48_271) % 2_147_483_647;
    yield 1 + (state % mostBytes);
  }
}
