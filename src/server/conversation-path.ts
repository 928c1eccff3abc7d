/** What stands before most routes: a tenant, and a conversation of it. */
import type { Context } from 'hono';
import type { ConversationPlace, Conversations } from './conversations.ts';
import { readId } from './ids.ts';

export const base = '/api/tenants/:tenant/conversations/:conversation';

/** @throws Refusal 400 */
export function placeIn(conversations: Conversations, context: Context): ConversationPlace {
  const tenant = readId('tenant', context.req.param('tenant'));
  return conversations.place(tenant, readId('conversation', context.req.param('conversation')));
}
