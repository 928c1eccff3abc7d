/** The limits of tenants and providers, as lines and as data. */
import type { ProviderRate, TenantQueue } from '../../engine/postgres/tenant-rows.ts';
import { renderCount } from '../../text/quantities.ts';

export interface ShownLimits {
  readonly tenants: readonly TenantQueue[];
  readonly providers: readonly ProviderRate[];
}

/** The names that programs read. */
export function limitFields({ tenants, providers }: ShownLimits): object {
  return {
    tenants: tenants.map(({ tenant, share, mostQueued, usdPerDay, usdToday, queued, driven }) => ({
      tenant,
      share,
      most_queued: mostQueued,
      usd_per_day: usdPerDay === Infinity ? null : usdPerDay,
      usd_today: usdToday,
      queued,
      driven,
    })),
    providers: providers.map(({ provider, callsPerMinute: calls_per_minute }) => ({
      provider,
      calls_per_minute,
    })),
  };
}

export function renderLimits({ tenants, providers }: ShownLimits): string {
  if (tenants.length + providers.length === 0) return 'no limits are set, and no run waits\n';
  return [
    ...tenants.map(tenantLine),
    ...providers.map(({ provider, callsPerMinute }) => `${provider}: ${callsPerMinute} calls a minute\n`),
  ].join('');
}

function tenantLine({ tenant, share, queued, driven, ...limits }: TenantQueue): string {
  const { mostQueued, usdPerDay, usdToday } = limits;
  const spent = usdPerDay === Infinity ? '' : `, $${usdToday.toFixed(2)} of $${usdPerDay} used today`;
  return `${tenant}: share ${share}, ${queued} of ${mostQueued} queued, ${renderCount(driven, 'run')} at work${spent}\n`;
}
