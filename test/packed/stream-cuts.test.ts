/** Readers that are cut at random points, while the server is killed and started again. */
import { describe } from 'vitest';
import { longRun } from '../../src/server/long-run.test-helper.ts';
import { test } from './place.ts';
import { beginWrittenRun, serve, streamOf } from './served.ts';
import { until } from './started-command.ts';
import { readStream } from './stream-reader.ts';

const parts = 30;
const run = longRun(3000);

describe('100 readers of a run', () => {
  test('X002-2 X002-12 see each event once and in order, cut at random points, the server killed three times', async ({
    place,
    expect,
  }) => {
    const served = await serve(place);
    const { write } = beginWrittenRun(place, 'long', 'run-1');
    write(run.slice(0, 1));
    const url = streamOf(served, 'long');
    const readers = Array.from({ length: 100 }, (_, index) =>
      readStream(url, { cutAfter: randomCuts(index + 1) }),
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
  });
});

/** Byte counts from 1 to 60,000 for the first connections: the same ones in each run of this test. */
function* randomCuts(seed: number): Generator<number> {
  let state = seed;
  for (let cut = 0; cut < 12; cut += 1) {
    state = (state * 48_271) % 2_147_483_647;
    yield 1 + (state % 60_000);
  }
}
