/**
 * Who a request is (X002-27). On the loopback interface whoever reaches the server is its owner; anywhere else a request brings
 * a token, or the cookie that a browser got for one. A token is for one tenant; what belongs to another is not there (X002-26).
 */
import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { comesFromOwnPage, type OriginPolicy } from './access-origin.ts';
import type { Credentials } from './credentials.ts';
import { readId } from '../routes/ids.ts';
import { problemResponse, Refusal } from '../routes/problem.ts';

export interface AccessPolicy extends OriginPolicy {
  /** Null: no token is asked for. */
  readonly credentials: { readonly tokens: Credentials; readonly sessions: Credentials } | null;
  readonly cookieName: string;
}

/** Null: every tenant. */
export type Caller = { readonly tenant: string | null };

export type AccessEnv = { Variables: { caller: Caller } };

/** Of a route below a tenant. */
export type TenantEnv = { Variables: { caller: Caller; tenant: string } };

export function requireToken(policy: AccessPolicy) {
  return createMiddleware<AccessEnv>(async (context, next) => {
    const caller = callerOf(context.req.raw, policy, getCookie(context, policy.cookieName));
    if (caller === null) return unauthorised();
    context.set('caller', caller);
    await next();
    return;
  });
}

/** After `requireToken`, over all that stands below a tenant. */
export function requireTenant() {
  return createMiddleware<TenantEnv>(async (context, next) => {
    const tenant = readId('tenant', context.req.param('tenant'));
    const { tenant: own } = context.var.caller;
    if (own !== null && own !== tenant) {
      return problemResponse({ status: 404, detail: `There is no tenant ${tenant} here` });
    }
    context.set('tenant', tenant);
    await next();
    return;
  });
}

/** Null where it brings nothing that lets it in. @throws Refusal 403 for a cookie that a page of somebody else makes use of */
export function callerOf(request: Request, policy: AccessPolicy, cookie: string | undefined): Caller | null {
  const { credentials } = policy;
  if (credentials === null) return { tenant: null };
  const bearer = /^Bearer ([^\s]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (bearer !== undefined) return credentials.tokens.find(bearer);
  if (cookie === undefined) return null;
  const session = credentials.sessions.find(cookie);
  // A session ends with the token that it was begun with.
  if (session === null || !credentials.tokens.holds(session.token ?? '')) return null;
  if (!isReading(request.method)) refuseForeignPage(request, policy);
  return session;
}

/** A browser sends the cookie by itself; the origin says whose page made it send. */
function refuseForeignPage(request: Request, policy: AccessPolicy): void {
  const sender = {
    origin: request.headers.get('origin') ?? undefined,
    host: request.headers.get('host') ?? undefined,
  };
  if (comesFromOwnPage(sender, policy)) return;
  throw new Refusal({
    status: 403,
    detail:
      'A request with the cookie that changes something comes without the origin of a page of this server',
    hint: 'programs send a token instead: authorization: Bearer <token>',
  });
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

export function unauthorised(): Response {
  return problemResponse({
    status: 401,
    detail: 'This server takes no request without a token',
    hint: 'make one where the server runs: collab serve token create --tenant <name>; send it as authorization: Bearer <token>',
    headers: { 'www-authenticate': 'Bearer realm="collab"' },
  });
}
