/** Exchanges a browser's token once for a cookie that its scripts cannot read. */
import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { callerOf, unauthorised, type AccessPolicy } from './access-token.ts';
import { localTenant } from '../../access/speaker.ts';
import { limitBody, readJsonBody } from '../routes/read-body.ts';
import { problemResponse } from '../routes/problem.ts';

export const sessionRequestSchema = z.strictObject({ token: z.string().min(1).max(200) });

export const sessionSchema = z.object({
  tenant: z.string(),
  authenticated: z.literal(true),
  version: z.string(),
});

const sessionDays = 30;
const sessionSeconds = sessionDays * 24 * 60 * 60;

export interface SessionOptions {
  readonly policy: AccessPolicy;
  readonly version: string;
}

export function sessionRoutes({ policy, version }: SessionOptions): Hono {
  const { credentials, cookieName } = policy;
  const cookie = { path: '/api', httpOnly: true, sameSite: 'Strict' } as const;
  const answer = (tenant: string | null) => ({ tenant: tenant ?? localTenant, authenticated: true, version });

  return new Hono()
    .get('/api/session', (context) => {
      const caller = callerOf(context.req.raw, policy, getCookie(context, cookieName));
      return caller === null ? unauthorised() : context.json(answer(caller.tenant));
    })
    .post('/api/session', limitBody(mostTokenBytes), async (context) => {
      const { token } = await readJsonBody(context, sessionRequestSchema);
      const found = credentials?.tokens.find(token) ?? null;
      if (credentials === null || found === null) return wrongToken();
      const { secret } = credentials.sessions.create({
        tenant: found.tenant,
        label: found.label,
        expiresInMs: sessionSeconds * 1000,
        token: found.id,
      });
      setCookie(context, cookieName, secret, {
        ...cookie,
        maxAge: sessionSeconds,
        secure: isSecure(context),
      });
      return context.json(answer(found.tenant));
    })
    .delete('/api/session', (context) => {
      // An open server on loopback has no sessions.
      if (credentials === null) return context.body(null, 204);
      const secret = getCookie(context, cookieName);
      const session = secret === undefined ? null : credentials.sessions.find(secret);
      if (session !== null) credentials.sessions.revoke(session.id);
      deleteCookie(context, cookieName, cookie);
      return context.body(null, 204);
    });
}

const mostTokenBytes = 4096;

/** Checks the page's origin, because a proxy in front may speak TLS with the browser and plain HTTP with this server. */
function isSecure(context: Context): boolean {
  return (context.req.header('origin') ?? '').startsWith('https://');
}

function wrongToken(): Response {
  return problemResponse({
    status: 401,
    detail: 'The token is unknown to this server, revoked or expired',
    hint: 'create one on the server: collab serve token create --tenant <name>',
    headers: { 'www-authenticate': 'Bearer realm="collab"' },
  });
}
