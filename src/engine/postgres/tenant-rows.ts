/** The tenants of a database: the share of each, the most runs that it may have in the queue, and how its queue moves. */
import type { Pool } from 'pg';
import { CollabError } from '../../errors/collab-error.ts';
import { renderCount, renderDuration, renderNumber } from '../../text/quantities.ts';
import { callUsdSql, isOfTodaySql } from './call-rows.ts';
import { repeatWhileOut } from './connect.ts';

type Queries = Pick<Pool, 'query'>;

/** The queued runs of a tenant without a limit of its own. */
export const usualMostQueued = 1000;
/** The time over which the speed of a queue is measured. */
const measuredMinutes = 15;
/** The wait for a queue from which no run was taken in that time. */
const unmeasuredSeconds = 60;
const mostSeconds = 3600;

export interface TenantLimits {
  /** Relative to other tenants that wait: one with twice the share has twice the drives. */
  readonly share: number;
  readonly mostQueued: number;
  /** The budget of a day, from 00:00 UTC, in US dollars; infinite if there is none. */
  readonly usdPerDay: number;
}

export interface TenantQueue extends TenantLimits {
  readonly tenant: string;
  readonly queued: number;
  /** The runs that processes drive now. */
  readonly driven: number;
  /** The cost of its calls of this day, in US dollars; calls that are not settled count as expected. */
  readonly usdToday: number;
}

interface QueueSpeed {
  readonly queued: number;
  readonly most: number;
  /** The runs taken from the queue in the measured time. */
  readonly taken: number;
  /** Seconds since the first of them. */
  readonly seconds: number;
}

const speedSql = `
select queued, coalesce(most_queued, ${usualMostQueued}) as most, taken, seconds
from (select count(*)::integer as queued from collab.task where state = 'queued' and tenant = $1) waiting
cross join (
  select count(*)::integer as taken,
    coalesce(extract(epoch from clock_timestamp() - min(taken_at)), 0)::float8 as seconds
  from collab.task
  where tenant = $1 and taken_at > clock_timestamp() - interval '${measuredMinutes} minutes'
) speed
left join collab.tenant on tenant.name = $1`;

/**
 * Starts at the same moment see the same queue: each can make it one longer than its limit.
 *
 * @throws CollabError `queue_full` if the tenant has as many queued runs as it may have
 */
export async function refuseFullQueue(client: Queries, tenant: string): Promise<void> {
  const { rows } = await client.query<QueueSpeed>(speedSql, [tenant]);
  const [speed] = rows;
  if (speed === undefined || speed.queued < speed.most) return;
  const retryAfterSeconds = secondsUntilRoom(speed);
  throw new CollabError(
    'queue_full',
    `The tenant ${tenant} has ${renderCount(speed.queued, 'queued run')}, and may have ${renderNumber(speed.most)}`,
    {
      hint:
        speed.taken === 0
          ? `Check the workers: they took no run of it in the last ${measuredMinutes} minutes.`
          : `Try again in ${renderDuration(retryAfterSeconds * 1000)}: its queue will have room, as fast as it moves now.`,
      details: { tenant, queued: speed.queued, retry_after_seconds: retryAfterSeconds },
    },
  );
}

/** The time in which the queue, as fast as it was, has room for one run. */
function secondsUntilRoom({ queued, most, taken, seconds }: QueueSpeed): number {
  if (taken === 0) return unmeasuredSeconds;
  const tooMany = queued - most + 1;
  return Math.min(mostSeconds, Math.max(1, Math.ceil((tooMany * seconds) / taken)));
}

type NewLimits = { readonly [Name in keyof TenantLimits]?: TenantLimits[Name] | undefined };

/** Changes the limits that are named, and keeps the others. */
export async function setTenantLimits(
  client: Queries,
  tenant: string,
  { share, mostQueued, usdPerDay }: NewLimits,
): Promise<void> {
  await repeatWhileOut(() =>
    client.query(
      `insert into collab.tenant (name, share, most_queued, usd_per_day) values ($1, coalesce($2::float8, 1), $3::integer, $4::float8)
       on conflict (name) do update
       set share = coalesce($2, tenant.share), most_queued = coalesce($3, tenant.most_queued),
         usd_per_day = coalesce($4, tenant.usd_per_day)`,
      [tenant, share ?? null, mostQueued ?? null, usdPerDay ?? null],
    ),
  );
}

/** Returns the tenants with limits of their own, queued runs or driven ones, by name. */
export async function tenantQueues(client: Queries): Promise<readonly TenantQueue[]> {
  const { rows } = await repeatWhileOut(() =>
    client.query<TenantQueue>(
      `select coalesce(tenant.name, task.tenant) as tenant, coalesce(share, 1) as share,
         coalesce(most_queued, ${usualMostQueued}) as "mostQueued",
         coalesce(usd_per_day, 'infinity') as "usdPerDay",
         coalesce(queued, 0)::integer as queued, coalesce(driven, 0)::integer as driven,
         coalesce((
           select sum(${callUsdSql}) from collab.call
           where call.tenant = coalesce(tenant.name, task.tenant) and ${isOfTodaySql}
         ), 0)::float8 as "usdToday"
       from collab.tenant full join (
         select tenant, count(*) filter (where state = 'queued') as queued,
           count(*) filter (where state = 'driven') as driven
         from collab.task where state in ('queued', 'driven') group by tenant
       ) task on task.tenant = tenant.name
       order by 1`,
    ),
  );
  return rows;
}

export interface ProviderRate {
  readonly provider: string;
  readonly callsPerMinute: number;
}

/** `callsPerMinute`: of all processes together; null for no limit. */
export async function setProviderRate(
  client: Queries,
  provider: string,
  callsPerMinute: number | null,
): Promise<void> {
  await repeatWhileOut(() =>
    callsPerMinute === null
      ? client.query('delete from collab.provider where name = $1', [provider])
      : client.query(
          `insert into collab.provider (name, calls_per_minute) values ($1, $2)
           on conflict (name) do update set calls_per_minute = $2`,
          [provider, callsPerMinute],
        ),
  );
}

export async function providerRates(client: Queries): Promise<readonly ProviderRate[]> {
  const { rows } = await repeatWhileOut(() =>
    client.query<ProviderRate>(
      'select name as provider, calls_per_minute as "callsPerMinute" from collab.provider order by name',
    ),
  );
  return rows;
}
