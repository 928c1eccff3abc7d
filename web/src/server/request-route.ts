/** Requests the data of the first view as soon as the server has named the reader's tenant, while the scripts are loaded. */
import type { Route } from '../route.ts';
import { requestEarly } from './early-request.ts';

/** Conversations in the list beside every place, at first. */
export const firstConversations = 50;

export async function requestRoute(route: Route): Promise<void> {
  const session = await readCopy(requestEarly('/api/session'));
  if (typeof session?.tenant !== 'string') return;
  const base = `/api/tenants/${encodeURIComponent(session.tenant)}/conversations`;
  void requestEarly(`${base}?limit=${firstConversations}`);
  if (route.kind === 'conversation') void requestEarly(`${base}/${encodeURIComponent(route.conversation)}`);
  if (route.kind !== 'run') return;
  const address = `${base}/${encodeURIComponent(route.conversation)}/runs/${encodeURIComponent(route.run)}`;
  const run = await readCopy(requestEarly(address));
  const isReview = (run?.kind === 'review' || run?.kind === 'fix') && run.state === 'ended';
  const isShown = route.tab === 'review' || (route.tab === null && isReview);
  if (isShown && typeof run?.result === 'object' && run.result !== null) void requestEarly(`${address}/diff`);
}

/** Returns the fields of an answer, which stays to be read; null if there are none. The one who takes it checks them. */
async function readCopy(sent: Promise<Response>): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const answer = await sent;
    const value: unknown = answer.ok ? await answer.clone().json() : null;
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
