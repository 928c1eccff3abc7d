/** MCP over Streamable HTTP: the tools of `collab mcp` for the agents of a tenant, without sessions. */
import { Hono, type Context } from 'hono';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TenantEnv } from '../access/access-token.ts';
import { runsOfCaller, type McpCaller } from '../runs/caller-of-mcp.ts';
import type { FolderRuns } from '../runs/tenant-runs.ts';
import type { CallerRuns } from '../../mcp/caller-runs.ts';
import { askedBy } from './conversation-path.ts';
import { mostUploadBytes } from './limits.ts';
import { conflict, type Refusal } from './problem.ts';
import { limitBody } from './read-body.ts';
import type { ServerContext } from './server-context.ts';

const messageSchema = z.looseObject({ jsonrpc: z.literal('2.0') });

/** For the published description: the SDK checks the messages. A list of them is a batch. */
export const mcpMessageSchema = z.union([messageSchema, z.array(messageSchema)]);
export const rpcErrorSchema = messageSchema.extend({
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

/** `folderRuns`: null if the runs are in a database. */
export function mcpRoutes(server: ServerContext, folderRuns: FolderRuns | null): Hono<TenantEnv> {
  const callers = new WeakMap<AuthInfo, CallerRuns>();
  let opening: Promise<McpHttpHandler> | null = null;

  /** Most servers are never called over MCP: they do not load its code. */
  async function open(): Promise<McpHttpHandler> {
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('../../mcp/create-mcp-server.ts'),
    ]);
    const handler = createMcpHandler(
      ({ authInfo, era }) => {
        const runs = authInfo === undefined ? undefined : callers.get(authInfo);
        if (runs === undefined) throw new Error('a call without its caller');
        return createMcpServer(runs, era);
      },
      { maxRequestBodySize: mostUploadBytes },
    );
    server.stopping.addEventListener('abort', () => void handler.close().catch(server.onFault));
    return handler;
  }

  return new Hono<TenantEnv>().post(
    '/api/tenants/:tenant/mcp',
    limitBody(mostUploadBytes),
    async (context) => {
      if (folderRuns === null) throw notInDatabase();
      const handler = await (opening ??= open());
      const caller = callerOf(context);
      const authInfo = { token: '', clientId: caller.tenant, scopes: [] };
      callers.set(authInfo, runsOfCaller(server, folderRuns, caller));
      return handler.fetch(context.req.raw, { authInfo });
    },
  );
}

/** The tools of MCP read a folder of runs. */
function notInDatabase(): Refusal {
  return conflict('This server has its runs in a database, and serves no MCP yet', {
    hint: 'use collab mcp, or a server without --engine',
  });
}

function callerOf(context: Context<TenantEnv>): McpCaller {
  const { tenant } = context.var;
  return { tenant, ...askedBy(context), origin: new URL(context.req.url).origin };
}
