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
/** Readers at the same time, and the cuts of all of them together: `TEST_CUTS=2000` for more. */
const [readers, cuts] = [30, Number(process.env['TEST_CUTS'] ?? 300)];
const seed = Number(process.env['TEST_SEED'] ?? 1);
const cutsOfOne = Math.ceil(cuts / readers);
/** A reader has more bytes to take than its cuts leave to it. */
const mostBytes = Math.floor(600_000 / cutsOfOne);

describe('many readers of a run', () => {
  test(
    `X002-12.6 see each event once and in order over ${cuts} cuts at random bytes (seed ${seed}), the server killed three times`,
    { timeout: 600_000 },
    async ({ place, expect }) => {
      const served = await serve(place);
      const { write } = beginWrittenRun(place, 'long', 'run-1');
      write(run.slice(0, 1));
      const url = streamOf(served, 'long');
      const cutReaders = Array.from({ length: readers }, (_, index) =>
        readStream(url, { cutAfter: randomCuts(seed * readers + index, { count: cutsOfOne, mostBytes }) }),
      );
      const uncut = readStream(url);
      const size = Math.ceil(run.length / parts);
      for (let part = 0; part < parts; part += 1) {
        write(run.slice(part * size + (part === 0 ? 1 : 0), (part + 1) * size));
        const killed = part % 10 === 5;
        if (killed) await served.kill();
        if (killed) await served.start();
        else await until(`part ${part}`, () => cutReaders.some(({ count }) => count() > part * size));
      }
      const whole = await uncut.whole;
      const digests = await Promise.all(cutReaders.map((reader) => reader.whole));
      expect(new Set(digests)).toEqual(new Set([whole]));
      expect(new Set(cutReaders.map(({ count }) => count()))).toEqual(new Set([uncut.count()]));
      expect(uncut.count()).toBeGreaterThan(3000);
      expect(
        cutReaders.map((reader) => reader.cuts()).reduce((one, other) => one + other),
      ).toBeGreaterThanOrEqual(cuts);
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
    const hundred = Array.from({ length: 100 }, (_, index) =>
      readStream(url, { cutAfter: randomCuts(index + 1, { count: 12, mostBytes: 2000 }) }),
    );
    await until('a call that takes long', () => callsOf(place).includes('begin ex_chunk-3/1/1'));
    await until('a reader', () => hundred.some(({ count }) => count() > 5));
    await served.kill();
    await served.start();
    const recorded = readStream(url, { records: true });
    const digests = await Promise.all([recorded, ...hundred].map((reader) => reader.whole));
    expect(new Set(digests).size).toBe(1);
    assertLawful(recorded.events());
    expect(callsOf(place).filter((call) => call.startsWith('end '))).toHaveLength(4);
    expect(served.stderr()).toBe('');
  });
});

/** Byte counts for the first connections: the same ones for the same seed. */
function* randomCuts(
  from: number,
  { count, mostBytes: most }: { readonly count: number; readonly mostBytes: number },
): Generator<number> {
  let state = (from % 2_147_483_646) + 1;
  for (let cut = 0; cut < count; cut += 1) {
    state = (state * 48_271) % 2_147_483_647;
    yield 1 + (state % most);
  }
}
