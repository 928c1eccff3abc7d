import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { Deferred } from '../../system/deferred.ts';
import { askByRow, createAnsweringService } from './owner-requests.ts';

test('a request is answered once, also if a look that began before the reply ends after it', async () => {
  const rows = [{ id: '1', run_id: 'run', body: JSON.stringify({ type: 'cancel' }) }];
  const late = new Deferred<object>();
  const looks = [Promise.resolve({ rows }), late.promise];
  const query = (sql: string) => (sql.startsWith('select') ? looks.shift() : Promise.resolve({ rows: [] }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  const pool = { query } as unknown as Pick<Pool, 'query'>;
  let handled = 0;
  const service = createAnsweringService(pool, 7, () => () => {
    handled += 1;
    return Promise.resolve({ ok: true, state: 'running' });
  });
  const [first, second] = [service.answerAll(), service.answerAll()];
  await first;
  late.resolve({ rows });
  await second;
  expect(handled).toBe(1);
});

test('a request is a row for the owner, and its reply is awaited', async () => {
  const { pool, queries } = poolOf([null, JSON.stringify({ ok: true, state: 'waiting' })]);
  const request = { type: 'status' } as const;
  const owners = [7, 7, 7];
  const findOwner = async () => owners.shift() ?? null;
  expect(await askByRow(pool, 'run', { request, findOwner })).toEqual({
    ok: true,
    state: 'waiting',
  });
  expect(queries).toEqual([
    ['with asked', ['run', 7, '{"type":"status"}', expect.stringContaining('7')]],
    ['select reply', ['9']],
    ['select reply', ['9']],
  ]);
});

test('without an owner, nothing is asked', async () => {
  const { pool, queries } = poolOf([]);
  expect(
    await askByRow(pool, 'run', { request: { type: 'status' }, findOwner: async () => null }),
  ).toBeNull();
  expect(queries).toEqual([]);
});

test('a reply counts that an owner wrote just before it ended', async () => {
  const { pool } = poolOf([null, JSON.stringify({ ok: false, message: 'no' })]);
  const owners = [7, null];
  const findOwner = async () => owners.shift() ?? null;
  expect(await askByRow(pool, 'run', { request: { type: 'cancel' }, findOwner })).toEqual({
    ok: false,
    message: 'no',
  });
});

test('to wait for the owner writes no row, and ends with the owner or with the signal', async () => {
  const { pool, queries } = poolOf([]);
  const owners = [7, 7, 8];
  const findOwner = async () => owners.shift() ?? null;
  const request = { type: 'wait' } as const;
  expect(await askByRow(pool, 'run', { request, findOwner })).toBeNull();
  expect(owners).toEqual([]);
  const signal = AbortSignal.abort();
  expect(await askByRow(pool, 'run', { request, findOwner: async () => 7, signal })).toBeNull();
  expect(queries).toEqual([]);
});

test.each([
  [
    'of another version',
    '{"type":"dance"}',
    () => answer,
    { ok: false, message: 'not a request of this version' },
  ],
  [
    'to a run that has left',
    '{"type":"cancel"}',
    () => null,
    { ok: false, message: 'the run has left this process', passing: true },
  ],
  ['that fits', '{"type":"cancel"}', () => answer, { ok: true, state: 'running' }],
  ['that is refused', '{"type":"cancel"}', () => refuse, { ok: false, message: 'no such question' }],
])('a request %s gets its reply', async (_which, body, handlerOf, reply) => {
  const { pool, queries } = poolOf([], [{ id: '1', run_id: 'run', body }]);
  const service = createAnsweringService(pool, 7, handlerOf);
  const answering = service.answerAll();
  await answering;
  await service.replied('run');
  expect(queries).toEqual([
    ['select id,', [7]],
    ['update collab.run_request', ['1', JSON.stringify(reply)]],
  ]);
});

const answer = () => Promise.resolve({ ok: true, state: 'running' } as const);
const refuse = () => Promise.reject(new CollabError('input', 'no such question'));

/** A pool whose looks for a reply find these, one after the other, and whose looks for requests find `requests`. */
function poolOf(replies: (string | null)[], requests: readonly object[] = []) {
  const queries: unknown[] = [];
  const query = async (sql: string, values: unknown) => {
    queries.push([sql.split(' ', 2).join(' '), values]);
    if (sql.startsWith('select reply')) return { rows: [{ reply: replies.shift() ?? null }] };
    return { rows: sql.startsWith('with') ? [{ id: '9' }] : requests };
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  return { queries, pool: { query } as unknown as Pick<Pool, 'query'> };
}
