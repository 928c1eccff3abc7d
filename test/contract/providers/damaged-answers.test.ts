/** Every API's data damaged at one place: an incomplete answer never looks complete, and no error is ours. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRawUpstream, type RawUpstream } from '../../upstream/raw-server.ts';
import { findFaults } from './damaged-replies.ts';
import { everyProvider } from './every-provider.ts';

let upstream: RawUpstream;
beforeAll(async () => {
  upstream = await startRawUpstream();
});
afterAll(() => upstream.close());

test.each(everyProvider)(
  '$name: a damaged answer is read correctly, or fails and names the unreadable part',
  async (fixture) => expect(await findFaults(fixture, upstream, { seed: 20_261_123, count: 10 })).toEqual([]),
);
