import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startForgeServer, type ForgeServerAnswer } from '../../test/forge/forge-server.ts';
import type { Clock } from '../system/clock.ts';
import { createForgeClient, type ForgeRequest } from './forge-client.ts';
import type { Login } from './login.ts';
import { repeatUncertain } from './round/repeat-uncertain.ts';
import { createWaits } from './waits.ts';

const now = Date.UTC(2026, 10, 23, 14);
const ok: ForgeServerAnswer = { status: 200, body: { done: true } };

/** Sends one request to a host that gives these answers, the last one again and again. */
async function sendTo(answers: readonly ForgeServerAnswer[], request: ForgeRequest) {
  const left = [...answers];
  const server = await startForgeServer({ answer: () => left.shift() ?? answers.at(-1) ?? ok });
  onTestFinished(() => server.close());
  const { client, waitsMs, lines } = clientOf(server.url, { token: 'abc', source: 'GITHUB_TOKEN' });
  const settled = await client.send(request).catch((error: unknown) => error);
  return { settled, waitsMs, lines, client, count: server.requests().length, logins: server.logins() };
}

function clientOf(api: string, login: Login | null = null, signal = new AbortController().signal) {
  const waitsMs: number[] = [];
  const lines: string[] = [];
  const clock: Clock = { now: () => now, sleep: async (ms) => void waitsMs.push(ms) };
  const waits = createWaits({ clock, signal, tellWait: (line) => void lines.push(line) });
  return { client: createForgeClient({ forge: 'github', api, login, waits }), waitsMs, lines };
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
  ['a failure of the server', failure(503), [1000, 2000]],
  ['a failure of the server that names a time', failure(503, { 'retry-after': '7' }), [7000, 7000]],
  [
    'a failure of the server that names a date',
    failure(503, { 'retry-after': new Date(now + 9000).toUTCString() }),
    [9000, 9000],
  ],
  [
    'a failure that names a date in the past',
    failure(503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    [1000, 2000],
  ],
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

test('each wait is a line that says why, how long, and which attempt comes next', async () => {
  const { lines } = await sendTo([failure(503), failure(429, { 'retry-after': '90' }), ok], {
    path: 'x?secret=1',
  });
  expect(lines).toEqual([
    'GitHub answered GET x with 503: no␛[31m luck; attempt 2 of 4 in 1 s',
    'GitHub answered GET x with 429: no␛[31m luck; attempt 3 of 4 in 1 min 30 s',
  ]);
});

test('the waits of all requests together take five minutes at most', async () => {
  const limit = failure(429, { 'retry-after': '100' });
  const { client, waitsMs, settled } = await sendTo([limit, limit, ok, limit], { path: 'x' });
  expect([settled, waitsMs]).toEqual([expect.objectContaining({ status: 200 }), [100_000, 100_000]]);
  await expect(client.send({ path: 'y' })).rejects.toMatchObject({
    code: 'rate_limit',
    hint: expect.stringContaining('until 14:01 UTC'),
  });
  expect(waitsMs).toEqual([100_000, 100_000, 100_000]);
});

/** A host that fails after 200 seconds. */
async function startSlowHost() {
  let time = now;
  const server = await startForgeServer({
    answer() {
      time += 200_000;
      return failure(503);
    },
  });
  onTestFinished(() => server.close());
  const clock: Clock = { now: () => time, sleep: () => Promise.resolve() };
  const waits = createWaits({ clock, signal: new AbortController().signal });
  return { server, client: createForgeClient({ forge: 'github', api: server.url, login: null, waits }) };
}

test('an attempt that fails slowly takes its time from the waits', async () => {
  const { server, client } = await startSlowHost();
  await expect(client.send({ path: 'x' })).rejects.toMatchObject({ code: 'overloaded' });
  expect(server.requests()).toHaveLength(2);
});

test('so does a write whose fate is unknown: work that repeats it ends within the same five minutes', async () => {
  const { server, client } = await startSlowHost();
  const write = () => client.send({ method: 'POST', path: 'x' });
  await expect(repeatUncertain(client.waits, write)).rejects.toMatchObject({ isUncertain: true });
  expect(server.requests()).toHaveLength(2);
});

test.each<[string, readonly ForgeServerAnswer[], readonly number[]]>([
  ['after the time that the host names', [failure(503, { 'retry-after': '7' })], [7000]],
  ['after a second if it names none', [failure(503)], [1000]],
  [
    'after the second named time, too',
    [failure(503, { 'retry-after': '7' }), failure(503, { 'retry-after': '200' })],
    [7000, 200_000],
  ],
])('work whose write failed is repeated %s', async (_title, answers, waits) => {
  const left = [...answers];
  const server = await startForgeServer({ answer: () => left.shift() ?? ok });
  onTestFinished(() => server.close());
  const { client, waitsMs } = clientOf(server.url);
  const sent = repeatUncertain(client.waits, () => client.send({ method: 'POST', path: 'x' }));
  await expect(sent).resolves.toMatchObject({ status: 200 });
  expect(waitsMs).toEqual(waits);
});

test('a write that is to wait for longer than five minutes ends at once', async () => {
  const server = await startForgeServer({ answer: () => failure(503, { 'retry-after': '301' }) });
  onTestFinished(() => server.close());
  const { client, waitsMs } = clientOf(server.url);
  const sent = repeatUncertain(client.waits, () => client.send({ method: 'POST', path: 'x' }));
  await expect(sent).rejects.toMatchObject({
    status: 503,
    hint: 'It asks to wait until 14:05 UTC: run the command again then.',
  });
  expect([waitsMs, server.requests().length]).toEqual([[], 1]);
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['in days', { 'retry-after': '172800' }, 'until 2026-11-25:'],
  ['after all dates', { 'retry-after': '9'.repeat(30) }, 'until 9999-12-31:'],
  [
    'after all dates, as a limit',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9'.repeat(30) },
    'until 9999-12-31:',
  ],
])('a wait that ends %s is an error that names the date', async (_title, headers, until) => {
  const status = 'retry-after' in headers ? 503 : 403;
  const { settled, waitsMs } = await sendTo([failure(status, headers)], { path: 'x' });
  expect([settled, waitsMs]).toEqual([expect.objectContaining({ hint: expect.stringContaining(until) }), []]);
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

test('a write follows the redirects that keep it a write, and no other', async () => {
  const write: ForgeRequest = { method: 'POST', path: 'x', body: { a: 1 } };
  const kept = { ...moved('/y'), status: 307 };
  expect(await sendTo([kept, ok], write)).toMatchObject({ count: 2, settled: { status: 200 } });
  expect(await sendTo([moved('/y'), ok], write)).toMatchObject({
    count: 1,
    settled: { code: 'protocol', status: 301, isUncertain: false },
  });
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
  const { client } = clientOf(server.url);
  expect(await client.list('items')).toEqual([1, 2, 3]);
  expect(server.requests()).toEqual(['GET /items', 'GET /items']);
});

test('a list without an end is an error, not a part of it', async () => {
  const server = await startForgeServer({
    answer: () => ({ status: 200, body: [1], headers: { link: `<${server.url}/items>; rel="next"` } }),
  });
  onTestFinished(() => server.close());
  const { client } = clientOf(server.url);
  await expect(client.list('items')).rejects.toMatchObject({
    code: 'input',
    message: 'GitHub lists more under items than collab reads',
  });
  expect(server.requests()).toHaveLength(100);
});

test('a host that cannot be reached is named, and a cancel stops at once', async () => {
  const cancelled = new AbortController();
  const { client, lines } = clientOf('http://127.0.0.1:9', null, cancelled.signal);
  await expect(client.send({ path: 'x' })).rejects.toMatchObject({
    code: 'network',
    message: expect.stringContaining('127.0.0.1:9 cannot be reached'),
  });
  expect(lines).toHaveLength(3);
  cancelled.abort(new Error('stopped'));
  await expect(client.send({ path: 'x' })).rejects.toThrow('stopped');
});

test.each([
  ['no JSON', '<html>'],
  ['another form', { id: 'seven' }],
])('an answer with %s is an error that names its path without the query', async (_title, body) => {
  const server = await startForgeServer({ answer: () => ({ status: 200, body }) });
  onTestFinished(() => server.close());
  const { client } = clientOf(server.url);
  await expect(client.read({ path: 'x?secret=1' }, z.object({ id: z.int() }))).rejects.toMatchObject({
    code: 'protocol',
    message: 'GitHub answered x in an unknown form',
  });
});
