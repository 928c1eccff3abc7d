/** The checks before every route: which callers are admitted, for which tenant, and the form of refusals. */
import type { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { checkOrigin } from './access-origin.ts';
import { hidePathsInAnswers, type PathHider } from './hide-paths.ts';
import { requireTenant, requireToken, type AccessPolicy, type TenantEnv } from './access-token.ts';
import { noRoute, problemOfError, problemResponse } from '../routes/problem.ts';

export interface AccessOptions {
  readonly policy: AccessPolicy;
  /** Called for a bug of collab or a damaged file; no client gets its text. */
  readonly onFault: (error: unknown) => void;
  readonly hidePaths: PathHider;
}

/** Adds the checks to `app`; call it before adding any route. */
export function addAccess(app: Hono<TenantEnv>, { policy, onFault, hidePaths }: AccessOptions): void {
  app.onError((error) => problemOfError(error, onFault));
  app.notFound(noRoute);
  app.use(methodNotAllowed({ app, onMethodNotAllowed: (_context, methods) => wrongMethod(methods) }));
  app.use(checkOrigin(policy));
  app.use(
    '/api/tenants/:tenant/*',
    hidePathsInAnswers(hidePaths),
    requireToken(policy),
    requireTenant(policy),
  );
}

function wrongMethod(methods: readonly string[]): Response {
  const allow = methods.join(', ');
  return problemResponse({ status: 405, detail: `Allowed here: ${allow}`, headers: { allow } });
}
