/** A connection that carries nothing any more and does not end, as after a cut cable: its process connects again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/engine/postgres/connect.ts';
import { migrate } from '../../../src/engine/postgres/migrate.ts';
import { showPresence } from '../../../src/engine/postgres/presence.ts';
import { startDatabaseWay } from '../../fixtures/database-way.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { scratchFolder } from '../../fixtures/scratch-repository.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

test('a process whose connection is frozen connects again and keeps its number', async () => {
  const url = await cluster.createDatabase();
  const way = await startDatabaseWay(url, scratchFolder());
  const database = await openDatabase(way.address);
  const direct = await openDatabase(url);
  try {
    await migrate(direct.pool);
    const presence = await showPresence(database);
    const backendOf = async (): Promise<unknown> => {
      const { rows } = await direct.pool.query('select backend from collab.process where number = $1', [
        presence.number,
      ]);
      return rows[0];
    };
    const first = await backendOf();
    way.freeze();
    await expect.poll(backendOf).not.toEqual(first);
    expect(presence.lost.aborted).toBe(false);
    await presence.close();
  } finally {
    await database.close();
    await direct.close();
    await way.close();
  }
});
