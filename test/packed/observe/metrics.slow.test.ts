/** `GET /metrics` of the installed server: what its runs did, and for whom. */
import { parseMetrics } from '../../../src/observe/metrics/parsed-metrics.test-helper.ts';
import { example, test, type Place } from '../place.ts';
import { serve } from '../serve/served.ts';

const patient = { timeout: 180_000 };

test('the numbers of a review and of a failed one', patient, async ({ place, expect }) => {
  const served = await serve(place);
  const read = async () => parseMetrics(await (await fetch(`${served.url}/metrics`)).text());
  const before = await read();
  expect([before['collab_runs'], before['collab_calls_total']]).toEqual([{}, {}]);
  for (const script of ['pattern-3', 'died']) {
    await place.collab(['review', example('checkout.diff'), '--advisor', place.rehearsal(script)]);
  }
  const found = await read();
  expect(found['collab_runs']).toEqual({
    'kind=review,state=ended,outcome=findings': 1,
    'kind=review,state=ended,outcome=failed': 1,
  });
  expect(found['collab_calls_total']).toEqual({
    'provider=rehearsal,result=ok': 1,
    'provider=rehearsal,result=unavailable': 1,
  });
  expect(found['collab_cost_usd_total']).toEqual({
    'provider=rehearsal,model=claude-opus-4-20250514': 0.003,
  });
  expect(found['process_resident_memory_bytes']?.['']).toBeGreaterThan(0);
  // Read again, nothing is counted twice.
  expect((await read())['collab_calls_total']).toEqual(found['collab_calls_total']);
});

test(
  'a server that requires a token shows its numbers to its owner alone',
  patient,
  async ({ place, expect }) => {
    const [owner, guest] = [
      await tokenOf(place, ['--tenant', 'local', '--may', 'owner']),
      await tokenOf(place, ['--tenant', 'acme']),
    ];
    const served = await serve(place, ['--require-token']);
    const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await fetch(`${served.url}/metrics`, { headers })).status;
    expect([
      await status({}),
      await status({ authorization: `Bearer ${guest}` }),
      await status({ authorization: `Bearer ${owner}` }),
    ]).toEqual([401, 403, 200]);
  },
);

async function tokenOf(place: Place, args: readonly string[]): Promise<string> {
  const { stdout } = await place.collab(['serve', 'token', 'create', ...args]);
  return /collab_token_[\w-]+/.exec(stdout)?.[0] ?? '';
}
