/** The limits that paid calls of many processes share: a tenant's budget of the day, and the rate of a provider. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCallLedger } from '../../../src/engine/postgres/call-rows.ts';
import { cleanDatabase } from '../../../src/engine/postgres/clean.ts';
import { openPostgresStore, type PostgresStore } from '../../../src/engine/postgres/postgres-store.ts';
import {
  providerRates,
  setProviderRate,
  setTenantLimits,
  tenantQueues,
} from '../../../src/engine/postgres/tenant-rows.ts';
import type { ReservedCall } from '../../../src/engine/store/call-ledger.ts';
import { startRacingStores, type RacingStores } from './racing-stores.ts';

const { signal } = new AbortController();
let racing: RacingStores;
let store: PostgresStore;

beforeAll(async () => {
  racing = await startRacingStores();
  ({ store } = racing);
});
afterAll(() => racing.close());
beforeEach(() => store.pool.query('truncate collab.call, collab.tenant, collab.provider'));

test('a reserved call counts as expected until it is settled by its real cost', async () => {
  await setTenantLimits(store.pool, 'acme', { usdPerDay: 1 });
  const call = await reserve(ledgerOf(store, 'acme'), 0.9);
  const other = ledgerOf(store, 'acme');
  expect(await other.reserve({ provider: 'codex', usd: 0.2 }, signal)).toEqual({
    kind: 'refused',
    message:
      'the budget of the tenant acme, $1 a day, is spent: $0.9000 is used or reserved; the next day begins at 00:00 UTC',
  });
  await call.settle(0.3);
  const second = await reserve(other, 0.2);
  await second.settle(null);
  expect(await spentBy('acme')).toBeCloseTo(0.5);
  expect((await ledgerOf(store, 'other').reserve({ provider: 'codex', usd: 9 }, signal)).kind).toBe(
    'reserved',
  );
});

test('six processes that reserve at once never go beyond the budget, and use all of it', async () => {
  await setTenantLimits(store.pool, 'acme', { usdPerDay: 10 });
  const wanted = { provider: 'codex', usd: 1 };
  const reserving = racing.stores.flatMap((one) =>
    Array.from({ length: 5 }, () => ledgerOf(one, 'acme').reserve(wanted, signal)),
  );
  const kinds = (await Promise.all(reserving)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'reserved')).toHaveLength(10);
  expect(await spentBy('acme')).toBe(10);
});

test('the reservation of a process that dies before it settles counts no longer', async () => {
  await setTenantLimits(store.pool, 'acme', { usdPerDay: 1 });
  const dying = await openPostgresStore(racing.url);
  await reserve(ledgerOf(dying, 'acme'), 0.6);
  const settled = await reserve(ledgerOf(dying, 'acme'), 0.3);
  await settled.settle(0.3);
  const ledger = ledgerOf(store, 'acme');
  expect((await ledger.reserve({ provider: 'codex', usd: 0.6 }, signal)).kind).toBe('refused');
  await dying.close();
  await reserve(ledger, 0.6);
  expect((await ledger.reserve({ provider: 'codex', usd: 0.2 }, signal)).kind).toBe('refused');
});

test('calls of yesterday do not count for today', async () => {
  await setTenantLimits(store.pool, 'acme', { usdPerDay: 1 });
  await (await reserve(ledgerOf(store, 'acme'), 0.9)).settle(0.9);
  await store.pool.query(`update collab.call set reserved_at = reserved_at - interval '1 day'`);
  expect(await spentBy('acme')).toBe(0);
  await reserve(ledgerOf(store, 'acme'), 0.9);
});

test('a reservation whose reply was lost and that is repeated is one', async () => {
  await setTenantLimits(store.pool, 'acme', { usdPerDay: 1 });
  let losses = 1;
  const lossy = {
    ...store,
    pool: Object.assign(Object.create(store.pool), {
      async connect() {
        const client = await store.pool.connect();
        if (losses-- <= 0) return client;
        return Object.assign(Object.create(client), {
          release: () => client.release(),
          async query(text: string, ...values: readonly unknown[][]) {
            const answer = await client.query(text, ...values);
            if (text === 'commit') throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
            return answer;
          },
        });
      },
    }),
  };
  await reserve(ledgerOf(lossy, 'acme'), 0.9);
  expect(losses).toBeLessThan(0);
  expect(await spentBy('acme')).toBeCloseTo(0.9);
});

test('six processes together make no more calls in a minute than the rate of a provider, and the next one waits for room', async () => {
  await setProviderRate(store.pool, 'codex', 4);
  expect(await providerRates(store.pool)).toEqual([{ provider: 'codex', callsPerMinute: 4 }]);
  const stopped = new AbortController();
  const reserving = racing.stores.map((one) =>
    ledgerOf(one, 'acme')
      .reserve({ provider: 'codex', usd: 0 }, stopped.signal)
      .then(() => 'made'),
  );
  await expect.poll(callCount).toBe(4);
  // Another provider has a rate of its own.
  await ledgerOf(store, 'acme').reserve({ provider: 'anthropic', usd: 0 }, signal);
  expect(await callCount()).toBe(5);
  await store.pool.query(
    `update collab.call set reserved_at = reserved_at - interval '1 minute'
     where id = (select id from collab.call where provider = 'codex' limit 1)`,
  );
  await expect.poll(callCount).toBe(6);
  stopped.abort(new Error('stopped'));
  const ends = await Promise.allSettled(reserving);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(ends.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: new Error('stopped') },
  ]);
});

test('a limit that is removed is none, and clean keeps the calls of this day', async () => {
  await setTenantLimits(store.pool, 'acme', { usdPerDay: 0 });
  const ledger = ledgerOf(store, 'acme');
  expect((await ledger.reserve({ provider: 'codex', usd: 0 }, signal)).kind).toBe('refused');
  await setTenantLimits(store.pool, 'acme', { usdPerDay: Infinity });
  await (await reserve(ledger, 5)).settle(5);
  await cleanDatabase(racing.url, 0);
  expect(await tenantQueues(store.pool)).toMatchObject([
    { tenant: 'acme', usdPerDay: Infinity, usdToday: 5 },
  ]);
  await store.pool.query(`update collab.call set reserved_at = reserved_at - interval '3 days'`);
  await cleanDatabase(racing.url, 0);
  expect(await callCount()).toBe(0);
});

function ledgerOf(one: Pick<PostgresStore, 'pool' | 'process' | 'lost'>, tenant: string) {
  return createCallLedger(one, { runId: 'run', tenant });
}

async function reserve(ledger: ReturnType<typeof ledgerOf>, usd: number): Promise<ReservedCall> {
  const reserved = await ledger.reserve({ provider: 'codex', usd }, signal);
  if (reserved.kind === 'refused') throw new Error(reserved.message);
  return reserved;
}

async function spentBy(tenant: string): Promise<number | undefined> {
  return (await tenantQueues(store.pool)).find((one) => one.tenant === tenant)?.usdToday;
}

async function callCount(): Promise<number> {
  const { rows } = await store.pool.query<{ calls: number }>(
    'select count(*)::integer as calls from collab.call',
  );
  return rows[0]?.calls ?? 0;
}
