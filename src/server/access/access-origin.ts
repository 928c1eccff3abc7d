/**
 * Who may talk to the server by a browser (X002-27). A page of somebody else can send requests to a server on this machine: by
 * a name of its own that it lets point here (DNS rebinding), which `Host` shows, or straight, which `Origin` shows.
 */
import { isIP } from 'node:net';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { problemResponse } from '../routes/problem.ts';

export interface OriginPolicy {
  /** Names besides `localhost` and addresses, under which the server is reached, such as that of a proxy. */
  readonly hosts: readonly string[];
  /** Origins besides the server's own whose pages may call it, such as `http://localhost:3000`. */
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

/** Whether the request says that a page of this very server sent it, or one that may do as such a page does. */
export function comesFromOwnPage(
  { origin, host }: { readonly origin: string | undefined; readonly host: string | undefined },
  { origins }: OriginPolicy,
): boolean {
  if (origin === undefined || host === undefined) return false;
  return isSameOrigin(origin, host) || origins.some((known) => known.toLowerCase() === origin.toLowerCase());
}

/** An address cannot be rebound: a browser that says it is there has connected to it. */
function isOwnHost(host: string, names: ReadonlySet<string>): boolean {
  const name = hostnameOf(`http://${host}`);
  if (name === null) return false;
  return name === 'localhost' || name.endsWith('.localhost') || isIP(bare(name)) !== 0 || names.has(name);
}

/** The scheme is left out: a proxy in front may speak TLS. */
function isSameOrigin(origin: string, host: string): boolean {
  if (!/^https?:\/\//i.test(origin)) return false;
  return hostAndPort(origin) === hostAndPort(`${origin.split(':', 1)[0]}://${host}`);
}

/** A script or a picture in a page of somebody else names no origin; a link there may open the page. */
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
    detail: `The server is not called ${JSON.stringify(host.slice(0, 100))}`,
    hint: 'reach it by its address or as localhost; for another name: collab serve --allow-host <name>',
  });
}

function wrongOrigin(origin: string | undefined): Response {
  return problemResponse({
    status: 403,
    detail: `Pages of ${JSON.stringify((origin ?? 'elsewhere').slice(0, 100))} may not call this server`,
    hint: 'for a page that may: collab serve --allow-origin <origin>',
  });
}
