import { describe, expect, test } from 'vitest';
import { guarded, problemOf, tokenOf, type Guarded } from '../guarded.test-helper.ts';

const host = 'collab.example.org';
const things = '/api/tenants/acme/conversations/first/stream';

test('if only the owner can reach the server, every tenant is open to the owner', async () => {
  const { app } = guarded();
  const response = await app.request(things, { headers: { host: 'localhost' } });
  expect(await response.json()).toEqual({ tenant: 'acme' });
});

describe('on loopback without required tokens', () => {
  const local = '/api/tenants/local/conversations/first/stream';

  test('a token gives its grants, and no other tenant', async () => {
    const server = open();
    const token = tokenOf(server, 'acme', 'tool:Read');
    expect([
      await server.ask(things),
      await server.ask(things, token),
      await server.ask(local, token),
      await server.ask(local),
    ]).toEqual([guest(), guest('tool:Read'), 404, '{"kind":"owner"}']);
  });

  test('a revoked or cut token is refused instead of counting as no token', async () => {
    const server = open();
    const { authorization } = tokenOf(server);
    for (const { id } of server.tokens.list()) server.tokens.revoke(id);
    const sent = [authorization, authorization.slice(0, -1), authorization.replace('collab_', 'COLLAB_')];
    const answers = await Promise.all(sent.map((one) => server.ask(local, { authorization: one })));
    expect(answers).toEqual([401, 401, 401]);
    expect(await server.ask(local, { authorization: 'Bearer of-a-proxy' })).toBe('{"kind":"owner"}');
  });

  test('a cookie opens the tenant of its token as long as the token is valid', async () => {
    const server = open();
    const { secret } = server.tokens.create({
      tenant: 'acme',
      label: null,
      expiresInMs: null,
      grants: ['run'],
    });
    const response = await postToken(server, secret, 'http://localhost', 'localhost');
    const headers = { cookie: cookieOf(response) };
    expect([await server.ask(things, headers), await server.ask(local, headers)]).toEqual([
      guest('run'),
      404,
    ]);
    for (const { id } of server.tokens.list()) server.tokens.revoke(id);
    expect(await server.ask(local, headers)).toBe('{"kind":"owner"}');
    expect((await postToken(server, secret, 'http://localhost', 'localhost')).status).toBe(401);
  });
});

test('a token of local opens it with the grant owner, and nothing without it', async () => {
  const server = remote();
  const path = '/api/tenants/local/conversations/first/stream';
  const [bare, own] = [tokenOf(server, 'local'), tokenOf(server, 'local', 'owner')];
  const answers = await Promise.all(
    [bare, own].map(async (token) => server.app.request(path, { headers: { host, ...token } })),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  expect(answers[1]?.headers.get('x-speaker')).toBe('{"kind":"owner"}');
  expect((await server.ask(tokenOf(server, 'acme', 'owner'))).headers.get('x-speaker')).toContain('guest');
});

test('X002-27.2 without a token nothing below a tenant answers, and the refusal says how to get one', async () => {
  const response = await remote().ask({});
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="collab"');
  expect(await problemOf(response)).toEqual({
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    detail: 'This server requires a token',
    hint: expect.stringContaining('collab serve token create'),
  });
});

test('a token opens its tenant', async () => {
  const server = remote();
  const response = await server.ask(tokenOf(server));
  expect([response.status, await response.json()]).toEqual([200, { tenant: 'acme' }]);
});

test.each([
  [
    'one that was never made',
    () => 'Bearer collab_token_abcdefghij_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ],
  ['a path', () => 'Bearer ../../etc/passwd'],
  [
    'the id with another secret',
    (server: Guarded) => tokenOf(server).authorization.replace(/.{43}$/, 'A'.repeat(43)),
  ],
  ['another scheme', (server: Guarded) => tokenOf(server).authorization.replace('Bearer', 'Basic')],
])('a token that is %s opens nothing', async (_what, make) => {
  const server = remote();
  expect((await server.ask({ authorization: make(server) })).status).toBe(401);
});

test('a revoked or expired token opens nothing from then on', async () => {
  const server = remote();
  const revoked = tokenOf(server);
  const [token] = server.tokens.list();
  server.tokens.revoke(token?.id ?? '');
  const { secret } = server.tokens.create({ tenant: 'acme', label: null, expiresInMs: 1000 });
  const expiring = { authorization: `Bearer ${secret}` };
  const before = await server.ask(expiring);
  await server.clock.advance(1000);
  const after = await Promise.all([server.ask(revoked), server.ask(expiring)]);
  expect([before, ...after].map(({ status }) => status)).toEqual([200, 401, 401]);
});

test('X002-26.3 what belongs to another tenant is not there, whatever is asked of it', async () => {
  const server = remote();
  const headers = { host, ...tokenOf(server, 'other') };
  const answers = await Promise.all([
    server.app.request(things, { headers }),
    server.app.request(things, { headers, method: 'POST' }),
    server.app.request('/api/tenants/acme/nowhere', { headers }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test('a browser sends its token once and then uses a cookie that no script can read', async () => {
  const server = remote();
  const { response, cookie } = await logIn(server, 'https://collab.example.org');
  expect(await response.json()).toEqual({ tenant: 'acme', authenticated: true, version: '1.2.3' });
  expect(response.headers.get('set-cookie')).toMatch(
    /^collab_test=collab_session_\w{10}_[\w-]{43}; Max-Age=2592000; Path=\/api; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect(await (await server.ask({ cookie })).json()).toEqual({ tenant: 'acme' });
  const session = await server.app.request('/api/session', { headers: { host, cookie } });
  expect(await session.json()).toEqual({ tenant: 'acme', authenticated: true, version: '1.2.3' });
});

test('without a cookie there is no session, and a wrong token starts none', async () => {
  const server = remote();
  const asked = await server.app.request('/api/session', { headers: { host } });
  const tried = await postToken(server, 'collab_token_wrong', `http://${host}`);
  expect([asked.status, tried.status, tried.headers.get('set-cookie')]).toEqual([401, 401, null]);
});

test('with a cookie only a page of the server can change anything; with a token any client can', async () => {
  const server = remote({ origins: ['http://localhost:3000'] });
  const { cookie } = await logIn(server, `http://${host}`);
  const post = async (headers: Readonly<Record<string, string>>) =>
    (await server.app.request(things, { method: 'POST', headers: { host, ...headers } })).status;
  expect([
    await post({ cookie }),
    await post({ cookie, origin: 'http://evil.example' }),
    await post({ cookie, origin: `http://${host}` }),
    await post({ cookie, origin: 'http://localhost:3000' }),
    await post(tokenOf(server)),
  ]).toEqual([403, 403, 200, 200, 200]);
});

test('a cookie ends when it is returned or its token is revoked', async () => {
  const server = remote();
  const [first, second] = [await logIn(server, `http://${host}`), await logIn(server, `http://${host}`)];
  const headers = { host, cookie: first.cookie, origin: `http://${host}` };
  const left = await server.app.request('/api/session', { method: 'DELETE', headers });
  const [gone, kept] = [
    await server.ask({ cookie: first.cookie }),
    await server.ask({ cookie: second.cookie }),
  ];
  for (const { id } of server.tokens.list()) server.tokens.revoke(id);
  const after = await Promise.all([first, second].map(({ cookie }) => server.ask({ cookie })));
  expect(left.headers.get('set-cookie')).toMatch(/^collab_test=; Max-Age=0;/);
  expect([left, gone, kept, ...after].map(({ status }) => status)).toEqual([204, 401, 200, 401, 401]);
});

test('a cookie ends after thirty days', async () => {
  const server = remote();
  const { cookie } = await logIn(server, `http://${host}`);
  await server.clock.advance(30 * 24 * 60 * 60 * 1000);
  expect((await server.ask({ cookie })).status).toBe(401);
});

test('an unknown path or method is reported as a problem, with the existing methods', async () => {
  const { app } = guarded();
  const headers = { host: 'localhost' };
  const nowhere = await app.request('/api/nowhere', { headers });
  const wrong = await app.request('/api/health', { headers, method: 'PUT' });
  expect([await problemOf(nowhere), wrong.headers.get('allow'), await problemOf(wrong)]).toEqual([
    expect.objectContaining({ status: 404, detail: 'There is nothing at /api/nowhere' }),
    'GET, HEAD',
    expect.objectContaining({ status: 405, detail: 'Allowed here: GET, HEAD' }),
  ]);
});

test('the text of a bug is only logged, not sent', async () => {
  const { app, faults } = guarded();
  app.get('/api/broken', () => {
    throw new Error('the secret of the house');
  });
  const response = await app.request('/api/broken', { headers: { host: 'localhost' } });
  expect(JSON.stringify(await problemOf(response))).not.toContain('secret');
  expect([response.status, faults]).toEqual([500, [new Error('the secret of the house')]]);
});

function remote(policy: { readonly origins?: readonly string[] } = {}) {
  const server = guarded({ asksForToken: true, hosts: [host], ...policy });
  const ask = async (headers: Readonly<Record<string, string>>) =>
    server.app.request(things, { headers: { host, ...headers } });
  return { ...server, ask };
}

function open() {
  const server = guarded();
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const { status, headers: sent } = await server.app.request(path, {
      headers: { host: 'localhost', ...headers },
    });
    return status === 200 ? sent.get('x-speaker') : status;
  };
  return { ...server, ask };
}

function guest(...grants: readonly string[]): string {
  return JSON.stringify({ kind: 'guest', tenant: 'acme', grants, providers: [], isServerOpen: true });
}

async function logIn(server: Guarded, origin: string) {
  const { secret } = server.tokens.create({ tenant: 'acme', label: null, expiresInMs: null });
  const response = await postToken(server, secret, origin);
  return { response, cookie: cookieOf(response) };
}

function cookieOf({ headers }: Response): string {
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

async function postToken({ app }: Guarded, token: string, origin: string, at = host): Promise<Response> {
  return app.request('/api/session', {
    method: 'POST',
    headers: { host: at, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
}
