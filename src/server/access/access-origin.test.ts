import { expect, test } from 'vitest';
import { guarded, problemOf } from '../guarded.test-helper.ts';

const page = { host: '127.0.0.1:4180' };

test.each([
  '127.0.0.1:4180',
  'localhost',
  'localhost:9000',
  'LOCALHOST.:4180',
  'collab.localhost:4180',
  '[::1]:4180',
  '192.168.7.3:4180',
])('a request to %s is for this server', async (host) => {
  expect((await ask({ host })).status).toBe(200);
});

test.each([
  'evil.example',
  'evil.example:4180',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '',
  'a b',
  '@',
])(
  'X002-27.3 a request that names the host "%s" is refused, so that no foreign name leads here',
  async (host) => {
    const response = await ask({ host });
    expect(response.status).toBe(403);
    expect(await problemOf(response)).toMatchObject({
      detail: `The host name ${JSON.stringify(host)} is not allowed`,
      hint: expect.stringContaining('--allow-host'),
    });
  },
);

test('an allowed name is a name of this server', async () => {
  const { app } = guarded({ hosts: ['Collab.example.org'] });
  expect((await app.request('/api/health', { headers: { host: 'collab.example.org' } })).status).toBe(200);
});

test.each([
  'http://evil.example',
  'https://127.0.0.1.evil.example',
  'http://127.0.0.1:3000',
  'http://localhost:4180',
  'null',
  'file://',
])('X002-27.3 a request of a page of %s is refused', async (origin) => {
  const response = await ask({ ...page, origin });
  expect(response.status).toBe(403);
  expect(await problemOf(response)).toMatchObject({
    detail: `Pages of ${JSON.stringify(origin)} may not call this server`,
    hint: expect.stringContaining('--allow-origin'),
  });
});

test('a page of the server itself may call it, also through a proxy that speaks TLS', async () => {
  const asked = [
    { ...page, origin: 'http://127.0.0.1:4180' },
    { host: 'localhost', origin: 'https://localhost' },
    { host: 'localhost:443', origin: 'https://localhost' },
  ];
  const statuses = await Promise.all(asked.map(async (headers) => (await ask(headers)).status));
  expect(statuses).toEqual([200, 200, 200]);
});

test('a page of an allowed origin may call it', async () => {
  const { app } = guarded({ origins: ['http://localhost:3000'] });
  const headers = { ...page, origin: 'http://localhost:3000' };
  expect((await app.request('/api/health', { headers })).status).toBe(200);
});

test('a script or picture on another site’s page gets nothing; a link there opens the page', async () => {
  const embedded = await ask({ ...page, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' });
  const followed = await ask({ ...page, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' });
  expect([embedded.status, followed.status]).toEqual([403, 200]);
  expect(await problemOf(embedded)).toMatchObject({
    detail: 'Pages of "elsewhere" may not call this server',
  });
});

async function ask(headers: Readonly<Record<string, string>>): Promise<Response> {
  return guarded().app.request('/api/health', { headers });
}
