/** `collab engine limits`: shows and sets the share, queue and budget of each tenant, and the rate of each provider. */
import type { Command } from 'commander';
import { amountText, countText, type FlagText } from '../../config/flag-text.ts';
import { exitCodes } from '../exit-code.ts';
import { takes } from '../flags/flag-values.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { engineAddress } from './engine-address.ts';
import { limitFields, renderLimits } from './limit-lines.ts';
import { renderJson } from '../../text/render-json.ts';

interface LimitFlags {
  readonly engine?: string;
  readonly share?: number;
  readonly queued?: number;
  readonly usdPerDay?: number;
  readonly provider?: string;
  readonly callsPerMinute?: number;
  readonly json?: boolean;
}

const about = `
Of two tenants that both wait, one with --share 2 has twice the runs at once. A tenant with as many queued runs as it may have is refused its next
one until a worker takes some. A tenant that has spent its budget of the day makes no call until 00:00 UTC. All workers together make no more calls of
a provider in a minute than its rate. "local" is the tenant of collab review --remote.

Examples:
  collab engine limits
  collab engine limits acme --share 2 --queued 200 --usd-per-day 50
  collab engine limits --provider anthropic --calls-per-minute 60
`;

const mostShare = 1000;
const mostRuns = 1_000_000;

const shareText: FlagText<number> = {
  name: 'n',
  wants: `a number from 0.001 to ${mostShare}`,
  hint: 'every tenant has a share of 1 if nothing else is set',
  parse: (text) => {
    const share = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
    return share > 0 && share <= mostShare ? share : null;
  },
};

const mostUsd = 1_000_000;
const mostCalls = 100_000;
const noLimit = 'none';

/** The same amounts, and a word that removes the limit. */
function orNone(text: FlagText<number>): FlagText<number> {
  return {
    ...text,
    wants: `${text.wants}, or ${noLimit}`,
    parse: (written) => (written === noLimit ? Infinity : text.parse(written)),
  };
}

/** Adds the command below `engine`, which has the flag that names the database. */
export function addLimitsCommand(limits: Command, { run }: Pick<Program, 'run'>): void {
  limits
    .argument('[tenant]', 'the tenant whose limits are set (default: show all)')
    .option('--share <n>', 'set its share of the workers', takes('--share', shareText))
    .option(
      '--queued <n>',
      'set the most runs that it may have in the queue',
      takes('--queued', countText({ least: 0, most: mostRuns })),
    )
    .option(
      '--usd-per-day <n>',
      'set its budget of a day in US dollars; none removes it',
      takes('--usd-per-day', orNone(amountText(mostUsd))),
    )
    .option('--provider <name>', 'choose the provider whose rate is set')
    .option(
      '--calls-per-minute <n>',
      'set the rate of its calls; none removes it',
      takes('--calls-per-minute', orNone(countText({ most: mostCalls }))),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', about)
    .action((tenant: string | undefined, flags: LimitFlags) =>
      run((session) => showLimits(session, tenant, flags)),
    );
}

async function showLimits(
  session: Session,
  tenant: string | undefined,
  { engine, json = false, ...asked }: LimitFlags,
): Promise<number> {
  await refuseWithoutSubject(tenant, asked);
  const [{ withTables }, rows] = await Promise.all([
    import('../../engine/postgres/migrate.ts'),
    import('../../engine/postgres/tenant-rows.ts'),
  ]);
  const { share, queued, usdPerDay, provider, callsPerMinute } = asked;
  const isOfTenant = share !== undefined || queued !== undefined || usdPerDay !== undefined;
  const { tenants, providers } = await withTables(engineAddress(session, engine), async (pool) => {
    if (tenant !== undefined && isOfTenant)
      await rows.setTenantLimits(pool, tenant, { share, mostQueued: queued, usdPerDay });
    if (provider !== undefined && callsPerMinute !== undefined)
      await rows.setProviderRate(pool, provider, callsPerMinute === Infinity ? null : callsPerMinute);
    return { tenants: await rows.tenantQueues(pool), providers: await rows.providerRates(pool) };
  });
  const isAll = tenant === undefined && provider === undefined;
  const shown = {
    tenants: tenants.filter((one) => isAll || one.tenant === tenant),
    providers: providers.filter((one) => isAll || one.provider === provider),
  };
  session.out(json ? renderJson(limitFields(shown)) : renderLimits(shown));
  return exitCodes.passed;
}

/** @throws CollabError `usage` for a limit of nothing, and for a name that no tenant has */
async function refuseWithoutSubject(
  tenant: string | undefined,
  { share, queued, usdPerDay, provider, callsPerMinute }: LimitFlags,
): Promise<void> {
  const [{ CollabError }, { idPattern }] = await Promise.all([
    import('../../errors/collab-error.ts'),
    import('../../server/routes/ids.ts'),
  ]);
  if (tenant !== undefined && !idPattern.test(tenant)) {
    throw new CollabError('usage', `There can be no tenant ${JSON.stringify(tenant.slice(0, 150))}`, {
      hint: 'use 1 to 128 letters, digits, dots, underscores and hyphens',
    });
  }
  if (tenant === undefined && (share ?? queued ?? usdPerDay) !== undefined) {
    throw new CollabError('usage', 'A share, a queue and a budget are of a tenant, and none is named', {
      hint: 'Write collab engine limits <tenant> --share 2.',
    });
  }
  if ((provider === undefined) !== (callsPerMinute === undefined)) {
    throw new CollabError('usage', 'A rate needs its provider, and a provider its rate', {
      hint: 'Write collab engine limits --provider anthropic --calls-per-minute 60.',
    });
  }
}
