import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { Deferred } from '../../system/deferred.ts';
import { checkReach, databaseFault, inTransaction, openDatabase, repeatWhileOut } from './connect.ts';

test('a transaction is committed, and its connection is used again', async () => {
  const { pool, log } = scriptedPool();
  expect(await inTransaction(pool, async () => 7)).toBe(7);
  expect(log).toEqual(['begin', 'commit', 'released']);
});

test('work that fails is rolled back, and its connection is used again', async () => {
  const { pool, log } = scriptedPool();
  await expect(inTransaction(pool, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(log).toEqual(['begin', 'rollback', 'released']);
});

test('a connection that cannot roll back is destroyed: the next user would be in its transaction', async () => {
  const { pool, log } = scriptedPool('rollback');
  await expect(inTransaction(pool, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(log).toEqual(['begin', 'rollback', 'destroyed']);
});

test('a database that refuses or ends its connections is out of reach at once, in words', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  await expect(checkReach(poolOf(() => Promise.reject(refused)))).rejects.toMatchObject({
    code: 'network',
    message: 'The database is out of reach: connect ECONNREFUSED',
    details: { part: 'database' },
  });
});

test('a database that does not answer is out of reach after a while; its late fault is handled', async () => {
  const late = new Deferred<never>();
  await expect(
    checkReach(
      poolOf(() => late.promise),
      1,
    ),
  ).rejects.toMatchObject({
    code: 'network',
    message: 'The database is out of reach: it does not answer',
    details: { part: 'database' },
  });
  late.reject(new Error('too late'));
});

test('a database that answers leaves no timer of the look, which would keep the process alive', async () => {
  const before = countTimers();
  await checkReach(poolOf(() => Promise.resolve()));
  expect(countTimers()).toBe(before);
});

test('a connection that breaks while no query waits for it is no fault; one that cannot be made is', async () => {
  const database = await openDatabase('postgres://127.0.0.1:1/collab');
  const { pool } = database;
  expect(pool.emit('error', new Error('broken'))).toBe(true);
  const client = new EventEmitter();
  pool.emit('connect', client);
  expect(client.emit('error', new Error('broken'))).toBe(true);
  await expect(database.connect()).rejects.toMatchObject({ code: 'network', details: { part: 'database' } });
  await database.close();
  await expect(pool.query('select 1')).rejects.toThrow('after calling end');
});

test('connections that were ended, since the database was opened again, are out of reach for good', async () => {
  let attempts = 0;
  const work = () => {
    attempts += 1;
    return Promise.reject(new Error('Cannot use a pool after calling end on the pool'));
  };
  await expect(repeatWhileOut(work)).rejects.toMatchObject({
    code: 'network',
    details: { part: 'database' },
  });
  expect(attempts).toBe(1);
});

test('work is done again while the database is out of reach, for a while at most', async () => {
  const failures = [fault('57P01'), fault('ECONNRESET')];
  const work = () => (failures.length > 0 ? Promise.reject(failures.pop()) : Promise.resolve(7));
  expect(await repeatWhileOut(work)).toBe(7);
  await expect(repeatWhileOut(() => Promise.reject(fault('57P01')), undefined, -1)).rejects.toMatchObject({
    code: 'network',
  });
});

test('work is not done again for another fault, or after the signal', async () => {
  let attempts = 0;
  const failing = (code: string) => () => {
    attempts += 1;
    return Promise.reject(fault(code));
  };
  await expect(repeatWhileOut(failing('42501'))).rejects.toMatchObject({ code: 'config' });
  await expect(repeatWhileOut(failing('57P01'), AbortSignal.abort())).rejects.toMatchObject({
    code: 'network',
  });
  expect(attempts).toBe(2);
});

test.each([
  ['42P01', 'config', 'The database holds no tables of collab', 'collab engine migrate creates them.'],
  ['3F000', 'config', 'The database holds no tables of collab', 'collab engine migrate creates them.'],
  ['42501', 'config', 'The database refuses its role a right: no', undefined],
  ['28P01', 'config', 'The database cannot be opened: no', expect.stringContaining('--engine')],
  ['3D000', 'config', 'The database cannot be opened: no', expect.stringContaining('--engine')],
  ['08006', 'network', 'The database is out of reach: no', expect.stringContaining('PostgreSQL runs')],
  ['53300', 'network', 'The database is out of reach: no', expect.stringContaining('PostgreSQL runs')],
  ['EPIPE', 'network', 'The database is out of reach: no', expect.stringContaining('PostgreSQL runs')],
])('the fault %s of the database is in words', (state, code, message, hint) => {
  expect(databaseFault(fault(state))).toMatchObject({
    code,
    message,
    details: { part: 'database' },
    ...(hint === undefined ? {} : { hint }),
  });
});

test('a fault without a text shows its code, and another fault stays as it is', () => {
  expect(databaseFault(Object.assign(new Error(''), { code: '08006' }))).toMatchObject({
    message: 'The database is out of reach: 08006',
  });
  const others = [fault('23505'), new Error('a bug'), 'text'];
  expect(others.map(databaseFault)).toEqual(others);
});

test.each(['mysql://db/collab', 'my postgres://db/collab', 'postgres:db'])(
  'the address %s is refused',
  async (url) => {
    await expect(openDatabase(url)).rejects.toMatchObject({
      code: 'config',
      message: 'The address of an engine begins with postgres://',
    });
  },
);

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

function poolOf(query: () => Promise<unknown>): Pick<Pool, 'query'> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  return { query } as unknown as Pick<Pool, 'query'>;
}

function fault(code: string): Error {
  return Object.assign(new Error('no'), { code });
}

function scriptedPool(failing = '') {
  const log: string[] = [];
  const client = {
    query(text: string) {
      log.push(text);
      return text === failing ? Promise.reject(new Error('broken')) : Promise.resolve();
    },
    release: (isDestroyed: boolean) => log.push(isDestroyed ? 'destroyed' : 'released'),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a pool of one scripted connection
  const pool = { connect: () => Promise.resolve(client) } as unknown as Pick<Pool, 'connect'>;
  return { pool, log };
}
