import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { checkReach, inTransaction, repeatWhileOut } from './connect.ts';

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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  const pool = { query: () => Promise.reject(refused) } as unknown as Pick<Pool, 'query'>;
  await expect(checkReach(pool)).rejects.toMatchObject({
    code: 'network',
    message: 'The database is out of reach: connect ECONNREFUSED',
    details: { part: 'database' },
  });
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
