/** Paid calls as rows: reserved before each call, settled after it, for the limits that all processes share. */
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { nap } from '../../system/nap.ts';
import { hasRoom, type CallLedger, type RefusedCall, type WantedCall } from '../store/call-ledger.ts';
import { inTransaction, repeatWhileOut } from './connect.ts';
import type { PostgresStore } from './postgres-store.ts';
import { isGoneSql } from './presence.ts';

export interface PayingRun {
  readonly runId: string;
  readonly tenant: string;
}

/** A process that stops in the middle of a reservation holds up the calls of others for no longer. */
const mostIdleMs = 2000;
/** The longest pause between two looks at a rate: another process may have lost its calls. */
const mostWaitMs = 5000;

export function createCallLedger(
  { pool, process, lost }: Pick<PostgresStore, 'pool' | 'process' | 'lost'>,
  { runId, tenant }: PayingRun,
): CallLedger {
  return {
    async reserve(call, signal) {
      const id = randomUUID();
      for (;;) {
        signal.throwIfAborted();
        const placed = await repeatWhileOut(
          () => inTransaction(pool, (client) => place(client, { ...call, id, runId, tenant, process })),
          lost,
        );
        if (placed === 'reserved') return { kind: 'reserved', settle: (usd) => settle(id, usd) };
        if (typeof placed !== 'number') return placed;
        await nap(Math.min(placed, mostWaitMs), signal);
      }
    },
  };

  async function settle(id: string, usd: number | null): Promise<void> {
    const settling = () =>
      pool.query(
        'update collab.call set usd = coalesce($2, expected_usd), settled_at = clock_timestamp() where id = $1',
        [id, usd],
      );
    await repeatWhileOut(settling, lost).catch(() => undefined);
  }
}

interface PlacedCall extends WantedCall, PayingRun {
  /** Chosen before: a reservation that is repeated is one. */
  readonly id: string;
  readonly process: number;
}

const limitsSql = `
select (select usd_per_day from collab.tenant where name = $1) as "usdPerDay",
  (select calls_per_minute from collab.provider where name = $2) as "callsPerMinute"`;

interface Limits {
  readonly usdPerDay: number | null;
  readonly callsPerMinute: number | null;
}

/** Returns how long to wait, in milliseconds, if the rate is reached. */
async function place(client: PoolClient, call: PlacedCall): Promise<'reserved' | RefusedCall | number> {
  const { id, runId, tenant, provider, usd, process } = call;
  await client.query(`set local idle_in_transaction_session_timeout = ${mostIdleMs}`);
  const { rows } = await client.query<Limits>(limitsSql, [tenant, provider]);
  const { usdPerDay = null, callsPerMinute = null } = rows[0] ?? {};
  const refusal = usdPerDay === null ? null : await refuseSpent(client, call, usdPerDay);
  if (refusal !== null) return refusal;
  const waitMs = callsPerMinute === null ? 0 : await waitForRate(client, call, callsPerMinute);
  if (waitMs > 0) return waitMs;
  await client.query(
    `insert into collab.call (id, run_id, tenant, provider, worker, expected_usd)
     values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing`,
    [id, runId, tenant, provider, process, usd],
  );
  return 'reserved';
}

/** The calls that share a limit are reserved one after the other. Tenants are locked before providers, everywhere. */
async function lockLimit(client: PoolClient, kind: 'tenant' | 'provider', name: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [JSON.stringify([kind, name])]);
}

/** The cost of `call` in SQL; the expected one, if it is not settled. */
export const callUsdSql = 'coalesce(call.usd, call.expected_usd)';

/** True in SQL if `call` is of the day of a tenant's budget. */
export const isOfTodaySql = "call.reserved_at >= date_trunc('day', clock_timestamp(), 'UTC')";

/** An open reservation counts as long as its process lives. */
const takenSql = `
select coalesce(sum(${callUsdSql}), 0)::float8 as taken
from collab.call left join collab.process on process.number = call.worker
where call.tenant = $1 and call.id <> $2 and ${isOfTodaySql}
  and (call.settled_at is not null or not ${isGoneSql})`;

async function refuseSpent(
  client: PoolClient,
  { id, tenant, usd }: PlacedCall,
  limit: number,
): Promise<RefusedCall | null> {
  await lockLimit(client, 'tenant', tenant);
  const { rows } = await client.query<{ taken: number }>(takenSql, [tenant, id]);
  const taken = rows[0]?.taken ?? 0;
  if (hasRoom(limit, taken, taken + usd)) return null;
  return {
    kind: 'refused',
    message: `the budget of the tenant ${tenant}, $${limit} a day, is spent: $${taken.toFixed(4)} is used or reserved; the next day begins at 00:00 UTC`,
  };
}

/** The call before which so many others were made within a minute is the last one that may be made now. */
const rateSql = `
select (extract(epoch from reserved_at + interval '1 minute' - clock_timestamp()) * 1000)::float8 as "waitMs"
from collab.call
where provider = $1 and id <> $2 and reserved_at > clock_timestamp() - interval '1 minute'
order by reserved_at desc offset $3 limit 1`;

async function waitForRate(
  client: PoolClient,
  { id, provider }: PlacedCall,
  callsPerMinute: number,
): Promise<number> {
  await lockLimit(client, 'provider', provider);
  const { rows } = await client.query<{ waitMs: number }>(rateSql, [provider, id, callsPerMinute - 1]);
  const [reached] = rows;
  return reached === undefined ? 0 : Math.max(1, Math.ceil(reached.waitMs));
}
