import { afterEach, expect, test, vi } from 'vitest';
import { fetchEarly, requestEarly } from './early-request.ts';

afterEach(() => vi.unstubAllGlobals());

test('the next request of an address takes the answer to the early one, and the one after it is sent', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    sent.push(address);
    return Promise.resolve(new Response(`answer ${sent.length}`));
  });
  void requestEarly('/api/session');
  expect(await textOf(fetchEarly('/api/session'))).toBe('answer 1');
  expect(sent).toEqual(['/api/session']);
  expect(await textOf(fetchEarly('/api/session'))).toBe('answer 2');
});

test('a request of another kind is sent, and leaves the early answer for the one that asks as it did', async () => {
  vi.stubGlobal('fetch', async (_address: string, init?: RequestInit) =>
    Promise.resolve(new Response(init?.method ?? 'GET')),
  );
  void requestEarly('/api/session');
  expect(await textOf(fetchEarly('/api/session', { method: 'DELETE' }))).toBe('DELETE');
  expect(await textOf(fetchEarly('/api/session'))).toBe('GET');
});

test('a request without headers takes the early answer, one with a header or a signal does not', async () => {
  vi.stubGlobal('fetch', async (_address: string, init?: RequestInit) =>
    Promise.resolve(new Response(init === undefined ? 'early' : 'late')),
  );
  void requestEarly('/api/a');
  expect(await textOf(fetchEarly('/api/a', { headers: { authorization: 'x' } }))).toBe('late');
  expect(await textOf(fetchEarly('/api/a', { signal: new AbortController().signal }))).toBe('late');
  expect(await textOf(fetchEarly('/api/a', { headers: {} }))).toBe('early');
});

test('an answer that waits for more than ten seconds is not taken', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let sent = 0;
  vi.stubGlobal('fetch', async () => Promise.resolve(new Response(`answer ${(sent += 1)}`)));
  void requestEarly('/api/a');
  now = 10_001;
  expect(await textOf(fetchEarly('/api/a'))).toBe('answer 2');
  vi.restoreAllMocks();
});

test('an early request that fails fails for the one that takes its answer, and only there', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no server')));
  void requestEarly('/api/session');
  await new Promise(setImmediate);
  await expect(fetchEarly('/api/session')).rejects.toThrow('no server');
});

async function textOf(answer: Promise<Response>): Promise<string> {
  return (await answer).text();
}
