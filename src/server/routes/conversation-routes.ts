/** The routes of a tenant's conversations, with the messages and runs of each. */
import { Hono } from 'hono';
import { z } from 'zod';
import { historyMessageSchema } from '../../providers/history/history.ts';
import type { TenantEnv } from '../access/access-token.ts';
import { base, placeIn } from './conversation-path.ts';
import { contextSchema } from '../conversations/conversations.ts';
import {
  conversationSummarySchema,
  keyOfEntry,
  listConversationEntries,
  summariseConversation,
  threadOf,
} from '../conversations/conversation-view.ts';
import { pageOf } from './paging.ts';
import { notThere } from './problem.ts';
import { runSummarySchema, summariseRun } from '../runs/run-view.ts';
import type { ServerContext } from './server-context.ts';
import type { TenantRuns } from '../runs/tenant-runs.ts';

export const conversationListSchema = z.object({
  /** Sorted by last change, newest first. */
  conversations: z.array(conversationSummarySchema),
  next: z.string().nullable(),
});

export const conversationDetailsSchema = conversationSummarySchema.extend({
  /** As its stream last reported it; null if no turn did. */
  context: contextSchema.nullable(),
  /** Newest first, at most fifty; `…/runs` lists all of them. */
  runs: z.array(runSummarySchema),
  /** In the shape of specification 003: the thread of the active branch. */
  messages: z.array(historyMessageSchema),
});

const mostRuns = 50;

export function conversationRoutes(server: ServerContext, tenantRuns: TenantRuns): Hono<TenantEnv> {
  const { conversations, engine } = server;
  const sources = { conversations, tenantRuns };
  return new Hono<TenantEnv>()
    .get('/api/tenants/:tenant/conversations', async (context) => {
      const { tenant } = context.var;
      const page = pageOf(context, await listConversationEntries(sources, tenant), keyOfEntry);
      const summaries = await Promise.all(page.items.map((entry) => summariseConversation(engine, entry)));
      return context.json({ conversations: summaries, next: page.next });
    })
    .get(base, async (context) => {
      const { tenant, id } = placeIn(conversations, context);
      const entries = await listConversationEntries(sources, tenant);
      const entry = entries.find((one) => one.id === id);
      if (entry === undefined) throw notThere(`There is no conversation ${id} here`);
      return context.json({
        ...(await summariseConversation(engine, entry)),
        context: entry.record?.context ?? null,
        runs: await Promise.all(entry.runs.slice(0, mostRuns).map((run) => summariseRun(engine, run))),
        messages: threadOf(sources, tenant, entry),
      });
    });
}
