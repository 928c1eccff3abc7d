/** The routes of the choices for a new run: agents, and branches of the served repository. */
import { Hono } from 'hono';
import { z } from 'zod';
import { requireMay } from '../../access/require.ts';
import { readsRepository } from '../access/reads-repository.ts';
import { listBranches } from '../../git/repository/list-branches.ts';
import type { TenantEnv } from '../access/access-token.ts';
import { agentsFor, keepFor } from '../runs/probed-agents.ts';
import type { ServerContext } from './server-context.ts';

export const agentListSchema = z.object({
  agents: z.array(
    z.object({
      provider: z.string(),
      roles: z.array(z.enum(['lead', 'advisor'])),
      ready: z.boolean(),
      /** Its version, or the reason why it is not ready. */
      detail: z.string().nullable(),
      hint: z.string().nullable(),
    }),
  ),
});

export const branchListSchema = z.object({
  /** Sorted by last commit, newest first. */
  branches: z.array(z.string()),
  more: z.boolean(),
  default: z.string().nullable(),
  current: z.string().nullable(),
});

/** A person who logs in to an agent meanwhile must see it soon. */
const keptMs = 30_000;

export function choiceRoutes({ cwd, env, clock, ports, stopping }: ServerContext): Hono<TenantEnv> {
  const agents = keepFor(keptMs, clock, () => ports.probeAgents(stopping));
  return new Hono<TenantEnv>()
    .get('/api/tenants/:tenant/agents', async (context) =>
      context.json({ agents: agentsFor(context.var.speaker, await agents()) }),
    )
    .get('/api/tenants/:tenant/branches', async (context) => {
      requireMay(context.var.speaker, readsRepository(cwd), 'the list of branches');
      return context.json(await listBranches(cwd, { env, signal: stopping }));
    });
}
