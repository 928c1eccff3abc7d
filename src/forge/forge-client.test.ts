import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startForgeServer, type ForgeServerAnswer } from '../../test/forge/forge-server.ts';
import type { Clock } from '../system/clock.ts';
import { createForgeClient, type ForgeRequest } from './forge-client.ts';

const now = Date.UTC(2026, 10, 23, 14);
const ok: ForgeServerAnswer = { status: 200, body: { done: true } };

/** Sends one request to a host that gives these answers, the last one again and again. */
async function sendTo(answers: readonly ForgeServerAnswer[], request: ForgeRequest) {
  const left = [...answers];
  const server = await startForgeServer({ answer: () => left.shift() ?? answers.at(-1) ?? ok });
  onTestFinished(() => server.close());
  const waitsMs: number[] = [];
  const clock: Clock = { now: () => now, sleep: async (ms) => void waitsMs.push(ms) };
  const client = createForgeClient({
    forge: 'github',
    api: server.url,
    login: { token: 'abc', source: 'GITHUB_TOKEN' },
    clock,
    signal: new AbortController().signal,
  });
  const settled = await client.send(request).catch((error: unknown) => error);
  return { settled, waitsMs, count: server.requests().length, logins: server.logins() };
}

const failure = (status: number, headers: Readonly<Record<string, string>> = {}): ForgeServerAnswer => ({
  status,
  headers,
  body: { message: 'no\u001b[31m luck' },
});
const moved = (location: string): ForgeServerAnswer => ({ status: 301, headers: { location }, body: '' });
const inAnHour = String(now / 1000 + 3600);
const inTenSeconds = String(now / 1000 + 10);

test.each<[string, ForgeServerAnswer, readonly number[]]>([
  ['a failure of the server', failure(503), [500, 1000]],
  ['a failure of the server that names a time', failure(503, { 'retry-after': '7' }), [7000, 7000]],
  ['a limit that names a time', failure(429, { 'retry-after': '3' }), [3000, 3000]],
  [
    'a limit that names its end',
    failure(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inTenSeconds }),
    [10_000, 10_000],
  ],
  [
    'a secondary limit without a time',
    { status: 403, body: { message: 'You have exceeded a secondary rate limit' } },
    [60_000, 60_000],
  ],
])('%s is waited for, as long as the host says', async (_title, answer, waits) => {
  const { settled, waitsMs } = await sendTo([answer, answer, ok], { path: 'x' });
  expect(settled).toMatchObject({ status: 200 });
  expect(waitsMs).toEqual(waits);
});

test('the fourth failure is the last, and its words are shown without control characters', async () => {
  const { settled, count } = await sendTo([failure(500)], { path: 'x?secret=1' });
  expect(count).toBe(4);
  expect(settled).toMatchObject({ code: 'overloaded', status: 500, isUncertain: false });
  expect(String(settled)).toBe('ForgeError: GitHub answered GET x with 500: no␛[31m luck');
});

test('a limit that ends in an hour is not waited for', async () => {
  const spent = failure(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inAnHour });
  const { settled, count, waitsMs } = await sendTo([spent, ok], { path: 'x' });
  expect([count, waitsMs]).toEqual([1, []]);
  expect(settled).toMatchObject({ code: 'rate_limit', hint: expect.stringContaining('until 15:00 UTC') });
});

test('a write whose fate is unknown is not repeated, and says so', async () => {
  const { settled, count } = await sendTo([failure(502), ok], { method: 'POST', path: 'x', body: {} });
  expect(count).toBe(1);
  expect(settled).toMatchObject({ code: 'overloaded', isUncertain: true });
});

test('a write that a limit refused is repeated: it was not done', async () => {
  const { settled, count } = await sendTo([failure(429, { 'retry-after': '1' }), ok], {
    method: 'POST',
    path: 'x',
  });
  expect([count, settled]).toEqual([2, expect.objectContaining({ status: 200 })]);
});

test('a redirect on the host is followed with the token, one to another host never', async () => {
  const followed = await sendTo([moved('/y'), ok], { path: 'x' });
  expect(followed).toMatchObject({
    count: 2,
    settled: { status: 200 },
    logins: ['Bearer abc', 'Bearer abc'],
  });
  const other = await startForgeServer({ answer: () => ok });
  onTestFinished(() => other.close());
  const left = await sendTo([moved(`${other.url}/y`)], { path: 'x' });
  expect(left.settled).toMatchObject({ code: 'protocol', status: 301 });
  expect(other.requests()).toEqual([]);
  expect((await sendTo([moved('/x')], { path: 'x' })).count).toBe(4);
});

test('an answer that is too long is refused', async () => {
  const { settled } = await sendTo([{ status: 200, body: 'x'.repeat(3_000_000) }], {
    path: 'x',
    mostBytes: 1_048_576,
  });
  expect(settled).toMatchObject({ code: 'input', message: 'GitHub answered x with more than 1 MiB' });
});

test('a list is read page by page, and a link to another host is not followed', async () => {
  const pages: Readonly<Record<string, ForgeServerAnswer>> = {
    '1': {
      status: 200,
      body: [1, 2],
      headers: { link: '<URL?page=2>; rel="next", <URL?page=9>; rel="last"' },
    },
    '2': { status: 200, body: [3], headers: { link: '<http://127.0.0.2:9/x?page=3>; rel="next"' } },
  };
  const server = await startForgeServer({
    answer({ query }) {
      const page = pages[query.get('page') ?? '1'] ?? failure(404);
      const link = page.headers?.['link']?.replaceAll('URL', `${server.url}/items`) ?? '';
      return { ...page, headers: { link } };
    },
  });
  onTestFinished(() => server.close());
  const clock: Clock = { now: () => now, sleep: () => Promise.resolve() };
  const signal = new AbortController().signal;
  const client = createForgeClient({ forge: 'github', api: server.url, login: null, clock, signal });
  expect(await client.list('items')).toEqual([1, 2, 3]);
  expect(server.requests()).toEqual(['GET /items', 'GET /items']);
});

test('a host that cannot be reached is named, and a cancel stops at once', async () => {
  const clock: Clock = { now: () => now, sleep: () => Promise.resolve() };
  const cancelled = new AbortController();
  const options = { forge: 'github', api: 'http://127.0.0.1:9', login: null, clock } as const;
  const client = createForgeClient({ ...options, signal: cancelled.signal });
  await expect(client.send({ path: 'x' })).rejects.toMatchObject({
    code: 'network',
    message: expect.stringContaining('127.0.0.1:9 cannot be reached'),
  });
  cancelled.abort(new Error('stopped'));
  await expect(client.send({ path: 'x' })).rejects.toThrow('stopped');
});

test.each([
  ['no JSON', '<html>'],
  ['another form', { id: 'seven' }],
])('an answer with %s is an error that names its path without the query', async (_title, body) => {
  const server = await startForgeServer({ answer: () => ({ status: 200, body }) });
  onTestFinished(() => server.close());
  const clock: Clock = { now: () => now, sleep: () => Promise.resolve() };
  const signal = new AbortController().signal;
  const client = createForgeClient({ forge: 'github', api: server.url, login: null, clock, signal });
  await expect(client.read({ path: 'x?secret=1' }, z.object({ id: z.int() }))).rejects.toMatchObject({
    code: 'protocol',
    message: 'GitHub answered x in an unknown form',
  });
});
