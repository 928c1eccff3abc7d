import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/engine/postgres/connect.ts';
import { startPostgres } from '../../fixtures/postgres-cluster.ts';

test('a connection that breaks between two statements of a transaction fails the next one, and not the process', async () => {
  const cluster = await startPostgres();
  const database = await openDatabase(await cluster.createDatabase());
  try {
    const client = await database.pool.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query('begin');
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await expect(client.query('commit')).rejects.toThrow('not queryable');
    client.release(true);
  } finally {
    await database.close();
    await cluster.remove();
  }
});
