/**
 * Identifies the caller of a request (X002-27). On the loopback interface the caller is the owner; anywhere else a request
 * needs a token, or the cookie that a browser got for one. A token is for one tenant, wherever it is sent; everything of
 * another tenant is reported as missing (X002-26).
 */
import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import type { Context } from 'hono';
import { actionIn, routes } from '../../access/actions.ts';
import type { Act } from '../../access/permissions.ts';
import { requireMay } from '../../access/require.ts';
import { localTenant, owner, type Guest, type Speaker } from '../../access/speaker.ts';
import { comesFromOwnPage, type OriginPolicy } from './access-origin.ts';
import { isSecret, type Credentials } from './tokens-and-sessions.ts';
import { readId } from '../routes/ids.ts';
import { problemResponse, Refusal } from '../routes/problem.ts';

export interface AccessPolicy extends OriginPolicy {
  /** False on loopback: a request without a token has access to every tenant, as its owner or its guest. */
  readonly requiresToken: boolean;
  /** If null, there is no private folder that could hold tokens. */
  readonly credentials: { readonly tokens: Credentials; readonly sessions: Credentials } | null;
  readonly cookieName: string;
  /** The agents that the server itself chose, which guests may name. */
  readonly providers: readonly string[];
}

/** The token of a request. Its id and tenant are null without one, which gives access to every tenant. */
export interface Caller {
  /** The id of the token. */
  readonly id: string | null;
  readonly tenant: string | null;
  readonly grants: readonly string[];
}

export type AccessEnv = { Variables: { caller: Caller } };

/** The environment of a route below a tenant. */
export type TenantEnv = { Variables: { caller: Caller; tenant: string; speaker: Speaker } };

export function requireToken(policy: AccessPolicy) {
  return createMiddleware<AccessEnv>(async (context, next) => {
    const caller = callerOf(context.req.raw, policy, getCookie(context, policy.cookieName));
    if (caller === null) return unauthorised();
    context.set('caller', caller);
    await next();
    return;
  });
}

/** Checks the tenant of all routes below one; runs after `requireToken`. */
export function requireTenant({
  providers,
  requiresToken,
}: Pick<AccessPolicy, 'providers' | 'requiresToken'>) {
  return createMiddleware<TenantEnv>(async (context, next) => {
    const tenant = readId('tenant', context.req.param('tenant'));
    const { tenant: own, grants } = context.var.caller;
    if (own !== null && own !== tenant) {
      return problemResponse({ status: 404, detail: `There is no tenant ${tenant} here` });
    }
    const speaker = speakerOf({ tenant, grants, providers, isServerOpen: !requiresToken });
    requireMay(speaker, routeAction(context), `${context.req.method} ${context.req.path}`);
    context.set('tenant', tenant);
    context.set('speaker', speaker);
    await next();
    return;
  });
}

/**
 * Returns the speaker for a tenant. The tenant `local` is the owner's own: its runs are the command line's, and a token of it is
 * valid only with the grant `owner`.
 */
export function speakerOf(guest: Omit<Guest, 'kind'>): Speaker {
  return guest.tenant === localTenant ? owner : { kind: 'guest', ...guest };
}

/** Returns the action of the route that will answer; null if its row is missing. */
function routeAction(context: Context): Act | null {
  const route = matchedRoutes(context).findLast(({ method }) => method !== 'ALL');
  if (route === undefined) return { does: 'reach the server' };
  return actionIn(routes, `${route.method} ${route.path}`);
}

/**
 * Returns the caller, or null if the request needs a valid token and has none, or has a token of collab that is not valid.
 * @throws Refusal 403 if another site's page uses the cookie
 */
export function callerOf(request: Request, policy: AccessPolicy, cookie: string | undefined): Caller | null {
  const { credentials, requiresToken } = policy;
  const anyone = requiresToken ? null : withoutToken;
  if (credentials === null) return anyone;
  const bearer = /^Bearer ([^\s]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (bearer !== undefined) {
    // A request with a revoked token must not count as one without a token, which may be the owner's.
    return credentials.tokens.find(bearer) ?? (isSecret(bearer) ? null : anyone);
  }
  if (cookie === undefined) return anyone;
  const session = credentials.sessions.find(cookie);
  // A session ends together with the token that started it.
  const token = session === null ? null : credentials.tokens.get(session.token ?? '');
  if (token === null) return anyone;
  if (!isReading(request.method)) refuseForeignPage(request, policy);
  return token;
}

const withoutToken: Caller = { id: null, tenant: null, grants: [] };

/**
 * Refuses a cookie sent by another site's page: a browser sends it by itself, and the origin shows which page made the request.
 */
function refuseForeignPage(request: Request, policy: AccessPolicy): void {
  const sender = {
    origin: request.headers.get('origin') ?? undefined,
    host: request.headers.get('host') ?? undefined,
  };
  if (comesFromOwnPage(sender, policy)) return;
  throw new Refusal({
    status: 403,
    detail: 'A changing request with the cookie needs the origin of a page of this server',
    hint: 'from a program, send a token: authorization: Bearer <token>',
  });
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

export function unauthorised(): Response {
  return problemResponse({
    status: 401,
    detail: 'This server requires a token',
    hint: 'create one on the server: collab serve token create --tenant <name>; send it as authorization: Bearer <token>',
    headers: { 'www-authenticate': 'Bearer realm="collab"' },
  });
}
