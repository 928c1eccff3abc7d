import { afterEach, expect, test, vi } from 'vitest';
import { parseRoute } from '../route.ts';
import { requestRoute } from './request-route.ts';

afterEach(() => vi.unstubAllGlobals());

const base = '/api/tenants/local/conversations';
const run = (more: object) => ({ kind: 'review', state: 'ended', result: {}, ...more });

/** Returns the addresses that are requested for a place, in their order. */
async function requestedFor(hash: string, answers: Readonly<Record<string, unknown>>): Promise<string[]> {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    sent.push(address);
    const answer = answers[address];
    return Promise.resolve(Response.json(answer ?? null, { status: answer === undefined ? 404 : 200 }));
  });
  await requestRoute(parseRoute(hash));
  return sent;
}

const session = { '/api/session': { tenant: 'local' } };

test('the data of each place is requested once the tenant is known', async () => {
  const list = ['/api/session', `${base}?limit=50`];
  expect(await requestedFor('', session)).toEqual(list);
  expect(await requestedFor('#/c/a b', session)).toEqual([...list, `${base}/a%20b`]);
  expect(await requestedFor('#/c/c/r/r', session)).toEqual([...list, `${base}/c/runs/r`]);
});

test('the change is requested when the review is what is shown', async () => {
  const asked = async (hash: string, more: object = {}) =>
    (await requestedFor(hash, { ...session, [`${base}/c/runs/r`]: run(more) })).at(-1);
  expect(await asked('#/c/c/r/r')).toBe(`${base}/c/runs/r/diff`);
  expect(await asked('#/c/c/r/r/review/f1', { kind: 'run' })).toBe(`${base}/c/runs/r/diff`);
  for (const more of [{ kind: 'run' }, { state: 'running' }, { result: null }])
    expect(await asked('#/c/c/r/r', more)).toBe(`${base}/c/runs/r`);
  expect(await asked('#/c/c/r/r/timeline')).toBe(`${base}/c/runs/r`);
});

test('an unknown reader, a server that is away and an unreadable answer end it', async () => {
  expect(await requestedFor('#/c/c/r/r', {})).toEqual(['/api/session']);
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no server')));
  await requestRoute(parseRoute('#/c/c/r/r'));
  vi.stubGlobal('fetch', async () => Promise.resolve(new Response('<html>')));
  await requestRoute(parseRoute('#/c/c/r/r'));
});
