/** The path prefix that most routes share: a tenant and one of its conversations. */
import type { Context } from 'hono';
import type { TenantEnv } from '../access/access-token.ts';
import type { ConversationPlace, Conversations } from '../conversations/conversations.ts';
import { readId } from './ids.ts';
import type { RunRequest } from './run-request.ts';

export const base = '/api/tenants/:tenant/conversations/:conversation';

/** The source of a request for a run. */
export function askedBy({
  var: known,
}: Pick<Context<TenantEnv>, 'var'>): Pick<RunRequest, 'speaker' | 'token'> {
  return { speaker: known.speaker, token: known.caller.id };
}

/** @throws Refusal 400 */
export function placeIn(
  conversations: Conversations,
  context: Pick<Context<TenantEnv>, 'var' | 'req'>,
): ConversationPlace {
  return conversations.place(context.var.tenant, readId('conversation', context.req.param('conversation')));
}
