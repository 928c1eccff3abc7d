/** All routes of the server. Each group is a separate module that receives the context; the access checks are added first. */
import { Hono } from 'hono';
import type { AccessPolicy, TenantEnv } from '../access/access-token.ts';
import { addAccess } from '../access/access.ts';
import { choiceRoutes } from './choice-routes.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { metricsRoutes } from './metrics.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { openApiDocument } from './openapi.ts';
import { pageRoutes } from './page-routes.ts';
import { runRoutes } from './run-routes.ts';
import type { ServerContext } from './server-context.ts';
import { sessionRoutes } from '../access/session-routes.ts';
import { streamRoutes } from './stream-routes.ts';
import { folderNumbers, type RunNumbers } from '../runs/run-numbers.ts';
import { openTenantRuns, type TenantRuns } from '../runs/tenant-runs.ts';

/** The runs of a database. */
export interface SharedRuns {
  readonly tenantRuns: TenantRuns;
  readonly numbers: RunNumbers;
}

/** `shared`: for a server that has a database. */
export function createApplication(
  server: ServerContext,
  policy: AccessPolicy,
  shared: SharedRuns | null = null,
): Hono<TenantEnv> {
  const application = new Hono<TenantEnv>();
  addAccess(application, { ...server, policy });
  application.route('/', pageRoutes({ folder: server.pageFolder }));
  application.route('/', healthRoutes(server));
  application.route('/', metricsRoutes(server, policy, shared?.numbers ?? folderNumbers(server)));
  application.get('/openapi.json', (context) => context.json(openApiDocument(server.version)));
  application.route('/', sessionRoutes({ policy, version: server.version }));
  application.route('/', streamRoutes(server));
  const folderRuns = openTenantRuns(server.conversations);
  const tenantRuns = shared?.tenantRuns ?? folderRuns;
  application.route('/', conversationRoutes(server, tenantRuns));
  application.route('/', runRoutes(server, tenantRuns));
  application.route('/', mcpRoutes(server, shared === null ? folderRuns : null));
  application.route('/', choiceRoutes(server));
  return application;
}
