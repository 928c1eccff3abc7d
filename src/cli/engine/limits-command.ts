/** `collab engine limits`: shows and sets the share of each tenant, and the most runs that it may have in the queue. */
import type { Command } from 'commander';
import { countText, type FlagText } from '../../config/flag-text.ts';
import type { TenantQueue } from '../../engine/postgres/tenant-rows.ts';
import { renderCount } from '../../text/quantities.ts';
import { exitCodes } from '../exit-code.ts';
import { takes } from '../flags/flag-values.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { engineAddress } from './engine-address.ts';

interface LimitFlags {
  readonly engine?: string;
  readonly share?: number;
  readonly queued?: number;
  readonly json?: boolean;
}

const about = `
Of two tenants that both wait, one with --share 2 has twice the runs at once. A tenant with as many queued runs as it may have is refused its next
one until a worker takes some. "local" is the tenant of collab review --remote.

Examples:
  collab engine limits
  collab engine limits acme --share 2 --queued 200
`;

const mostShare = 1000;
const mostQueued = 1_000_000;

const shareText: FlagText<number> = {
  name: 'n',
  wants: `a number from 0.001 to ${mostShare}`,
  hint: 'every tenant has a share of 1 if nothing else is set',
  parse: (text) => {
    const share = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
    return share > 0 && share <= mostShare ? share : null;
  },
};

/** Adds the command below `engine`, which has the flag that names the database. */
export function addLimitsCommand(limits: Command, { run }: Pick<Program, 'run'>): void {
  limits
    .argument('[tenant]', 'the tenant whose limits are set (default: show all)')
    .option('--share <n>', 'set its share of the workers', takes('--share', shareText))
    .option(
      '--queued <n>',
      'set the most runs that it may have in the queue',
      takes('--queued', countText({ least: 0, most: mostQueued })),
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
  { engine, share, queued, json = false }: LimitFlags,
): Promise<number> {
  const isSet = share !== undefined || queued !== undefined;
  if (tenant !== undefined) await checkTenant(tenant);
  else if (isSet) await refuseNoTenant();
  const [{ withTables }, { setTenantLimits, tenantQueues }] = await Promise.all([
    import('../../engine/postgres/migrate.ts'),
    import('../../engine/postgres/tenant-rows.ts'),
  ]);
  const queues = await withTables(engineAddress(session, engine), async (pool) => {
    if (tenant !== undefined && isSet)
      await setTenantLimits(pool, tenant, { share: share ?? null, mostQueued: queued ?? null });
    return tenantQueues(pool);
  });
  const shown = queues.filter((queue) => tenant === undefined || queue.tenant === tenant);
  if (json) session.out(`${JSON.stringify({ tenants: shown.map(inFieldNames) }, null, 2)}\n`);
  else session.out(shown.length === 0 ? 'no limits are set, and no run waits\n' : shown.map(lineOf).join(''));
  return exitCodes.passed;
}

function inFieldNames({ tenant, share, mostQueued: most_queued, queued, driven }: TenantQueue) {
  return { tenant, share, most_queued, queued, driven };
}

function lineOf({ tenant, share, mostQueued: most, queued, driven }: TenantQueue): string {
  return `${tenant}: share ${share}, ${queued} of ${most} queued, ${renderCount(driven, 'run')} at work\n`;
}

async function checkTenant(tenant: string): Promise<void> {
  const { idPattern } = await import('../../server/routes/ids.ts');
  if (idPattern.test(tenant)) return;
  const { CollabError } = await import('../../errors/collab-error.ts');
  throw new CollabError('usage', `There can be no tenant ${JSON.stringify(tenant.slice(0, 150))}`, {
    hint: 'use 1 to 128 letters, digits, dots, underscores and hyphens',
  });
}

async function refuseNoTenant(): Promise<never> {
  const { CollabError } = await import('../../errors/collab-error.ts');
  throw new CollabError('usage', '--share and --queued are of a tenant, and none is named', {
    hint: 'Write collab engine limits <tenant> --share 2.',
  });
}
