/** A small application behind the server's access checks, with its own tokens. */
import { Hono, type Context } from 'hono';
import { join } from 'node:path';
import { expect } from 'vitest';
import { scratchFolder } from '../../test/fixtures/scratch-repository.ts';
import { createManualClock, type ManualClock } from '../system/manual-clock.test-helper.ts';
import type { AccessPolicy, TenantEnv } from './access/access-token.ts';
import { addAccess } from './access/access.ts';
import { openCredentials, type Credentials } from './access/tokens-and-sessions.ts';
import { openServerFolder } from './access/server-folder.ts';
import { sessionRoutes } from './access/session-routes.ts';

export interface Guarded {
  readonly app: Hono<TenantEnv>;
  readonly clock: ManualClock;
  readonly tokens: Credentials;
  readonly faults: readonly unknown[];
  readonly policy: AccessPolicy;
}

export interface GuardedOptions extends Partial<AccessPolicy> {
  /** As on any address but loopback. */
  readonly asksForToken?: boolean;
}

export function guarded({ asksForToken = false, ...policy }: GuardedOptions = {}): Guarded {
  const clock = createManualClock();
  const { tokens, sessions } = credentialsIn(scratchFolder(), clock);
  const faults: unknown[] = [];
  const app = new Hono<TenantEnv>();
  const whole = {
    hosts: [],
    origins: [],
    providers: [],
    cookieName: 'collab_test',
    requiresToken: asksForToken,
    credentials: { tokens, sessions },
    ...policy,
  };
  addAccess(app, {
    policy: whole,
    onFault: (fault) => void faults.push(fault),
    hidePaths: () => null,
  });
  app.get('/api/health', (context) => context.json({ status: 'ok' }));
  const things = '/api/tenants/:tenant/conversations/:conversation/stream';
  app.get(things, answer);
  app.post(things, answer);
  app.get('/api/tenants/:tenant/without-a-row', (context) => context.text('reached'));
  app.route('/', sessionRoutes({ policy: whole, version: '1.2.3' }));
  return { app, clock, tokens, faults, policy: whole };
}

function answer({ var: known, json }: Context<TenantEnv>): Response {
  return json({ tenant: known.tenant }, 200, { 'x-speaker': JSON.stringify(known.speaker) });
}

export function credentialsIn(root: string, clock: ManualClock) {
  const folder = openServerFolder({
    home: join(root, '.collab'),
    env: { XDG_STATE_HOME: join(root, 'state') },
    clock,
  });
  return {
    folder,
    tokens: openCredentials(folder, 'token', clock),
    sessions: openCredentials(folder, 'session', clock),
  };
}

/** A token of a tenant, as it is sent. */
export function tokenOf(
  { tokens }: Pick<Guarded, 'tokens'>,
  tenant = 'acme',
  ...grants: readonly string[]
): { authorization: string } {
  const { secret } = tokens.create({ tenant, label: null, expiresInMs: null, grants });
  return { authorization: `Bearer ${secret}` };
}

/** Returns the complete refusal of a request. */
export async function problemOf(response: Response): Promise<unknown> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return response.json();
}
