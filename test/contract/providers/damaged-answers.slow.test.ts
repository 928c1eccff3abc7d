/** Every API's data damaged at random places: an incomplete answer never looks complete, and no error is ours. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../../setup/points.ts';
import { startRawUpstream, type RawUpstream } from '../../upstream/raw-server.ts';
import { findFaults } from './damaged-replies.ts';
import { everyProvider } from './every-provider.ts';

const count = Number(process.env['TEST_DAMAGES'] ?? 200);

let upstream: RawUpstream;
beforeAll(async () => {
  upstream = await startRawUpstream();
});
afterAll(() => upstream.close());

test.each(everyProvider)(
  '$name: a randomly damaged answer is read correctly, or fails and names the unreadable part',
  { timeout: 600_000 },
  async (fixture) =>
    expect({ seed, faults: await findFaults(fixture, upstream, { seed, count }) }).toEqual({
      seed,
      faults: [],
    }),
);
