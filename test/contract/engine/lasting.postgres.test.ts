/** The engine of a server that its database has forgotten: it is opened again, and ends runs as before. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/engine/postgres/connect.ts';
import { openLastingEngine } from '../../../src/runs/engine/lasting-engine.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

test('an engine whose process counts as gone is opened again, and is not ready in between', async () => {
  const url = await cluster.createDatabase();
  const news: string[] = [];
  const engine = await openLastingEngine(url, {
    clock: systemClock,
    env: process.env,
    migrates: true,
    onNews: (one) => news.push(one),
    onFault: (error) => news.push(String(error)),
  });
  const database = await openDatabase(url);
  try {
    const first = engine.store.process;
    await engine.ready();
    await database.pool.query(
      `with gone as (delete from collab.process where number = $1 returning backend)
       select pg_terminate_backend(backend) from gone`,
      [first],
    );
    await expect.poll(() => news).toEqual(['lost', 'back']);
    expect(engine.store.process).not.toBe(first);
    await engine.ready();
    expect(await engine.list('')).toEqual([]);
  } finally {
    await database.close();
    await engine.close();
  }
});
