/** The path prefix that most routes share: a tenant and one of its conversations. */
import type { Context } from 'hono';
import type { TenantEnv } from '../access/access-token.ts';
import type { ConversationPlace, Conversations } from '../conversations/conversations.ts';
import { readId } from './ids.ts';

export const base = '/api/tenants/:tenant/conversations/:conversation';

/** @throws Refusal 400 */
export function placeIn(
  conversations: Conversations,
  context: Pick<Context<TenantEnv>, 'var' | 'req'>,
): ConversationPlace {
  return conversations.place(context.var.tenant, readId('conversation', context.req.param('conversation')));
}
