/** What stands before every route: who may call at all, for which tenant, and how refusals read. */
import type { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { checkOrigin } from './access-origin.ts';
import { requireTenant, requireToken, type AccessPolicy, type TenantEnv } from './access-token.ts';
import { noRoute, problemOfError, problemResponse } from '../routes/problem.ts';

export interface AccessOptions {
  readonly policy: AccessPolicy;
  /** Told of what is a bug of ours, or a damaged file: its text goes to no client. */
  readonly onFault: (error: unknown) => void;
}

/** To be called before any route is added. */
export function addAccess(app: Hono<TenantEnv>, { policy, onFault }: AccessOptions): void {
  app.onError((error) => problemOfError(error, onFault));
  app.notFound(noRoute);
  app.use(methodNotAllowed({ app, onMethodNotAllowed: (_context, methods) => wrongMethod(methods) }));
  app.use(checkOrigin(policy));
  app.use('/api/tenants/:tenant/*', requireToken(policy), requireTenant());
}

function wrongMethod(methods: readonly string[]): Response {
  const allow = methods.join(', ');
  return problemResponse({ status: 405, detail: `Here one may ${allow}`, headers: { allow } });
}
