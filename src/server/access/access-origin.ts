/**
 * Checks which pages may call the server from a browser (X002-27). Another site's page can send requests to a server on this
 * machine: through a host name that it points at this machine (DNS rebinding), which `Host` reveals, or directly, which
 * `Origin` reveals.
 */
import { isIP } from 'node:net';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { problemResponse } from '../routes/problem.ts';

export interface OriginPolicy {
  /** Host names of the server other than `localhost` and addresses, such as a proxy's. */
  readonly hosts: readonly string[];
  /** Origins, other than the server's own, whose pages may call it, such as `http://localhost:3000`. */
  readonly origins: readonly string[];
}

export function checkOrigin(policy: OriginPolicy): MiddlewareHandler {
  const names = new Set(policy.hosts.map((name) => name.toLowerCase()));
  return async (context, next) => {
    const host = context.req.header('host') ?? '';
    if (!isOwnHost(host, names)) return wrongHost(host);
    const origin = context.req.header('origin');
    const isForeign =
      origin === undefined ? isForeignFetch(context.req) : !comesFromOwnPage({ origin, host }, policy);
    if (isForeign) return wrongOrigin(origin);
    await next();
    return;
  };
}

/** Returns true if the request comes from a page of this server or of an allowed origin. */
export function comesFromOwnPage(
  { origin, host }: { readonly origin: string | undefined; readonly host: string | undefined },
  { origins }: OriginPolicy,
): boolean {
  if (origin === undefined || host === undefined) return false;
  return isSameOrigin(origin, host) || origins.some((known) => known.toLowerCase() === origin.toLowerCase());
}

/** Accepts every address: an address cannot be rebound, so a browser that names one has connected to it. */
function isOwnHost(host: string, names: ReadonlySet<string>): boolean {
  const name = hostnameOf(`http://${host}`);
  if (name === null) return false;
  return name === 'localhost' || name.endsWith('.localhost') || isIP(bare(name)) !== 0 || names.has(name);
}

/** Ignores the scheme, because a proxy in front may speak TLS. */
function isSameOrigin(origin: string, host: string): boolean {
  if (!/^https?:\/\//i.test(origin)) return false;
  return hostAndPort(origin) === hostAndPort(`${origin.split(':', 1)[0]}://${host}`);
}

/** Returns true for a script or picture on another site's page, which sends no origin; a link there may open the page. */
function isForeignFetch(request: HonoRequest): boolean {
  return request.header('sec-fetch-site') === 'cross-site' && request.header('sec-fetch-mode') !== 'navigate';
}

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, '') : null;
}

function hostAndPort(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function wrongHost(host: string): Response {
  return problemResponse({
    status: 403,
    detail: `The host name ${JSON.stringify(host.slice(0, 100))} is not allowed`,
    hint: 'use its address or localhost; for another name: collab serve --allow-host <name>',
  });
}

function wrongOrigin(origin: string | undefined): Response {
  return problemResponse({
    status: 403,
    detail: `Pages of ${JSON.stringify((origin ?? 'elsewhere').slice(0, 100))} may not call this server`,
    hint: 'to allow it: collab serve --allow-origin <origin>',
  });
}
