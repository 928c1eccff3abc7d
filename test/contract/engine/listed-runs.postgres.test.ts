/** The list of the runs of a database, of which some cannot be read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabaseEngine, type DatabaseEngine } from '../../../src/runs/engine/database-engine.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { queueRows } from './queued-rows.ts';

let cluster: PostgresCluster;
let engine: DatabaseEngine;
beforeAll(async () => {
  cluster = await startPostgres();
  const here = { clock: systemClock, env: process.env, migrates: true };
  engine = await openDatabaseEngine(await cluster.createDatabase(), here);
});
afterAll(async () => {
  await engine.close();
  await cluster.remove();
});

test('a run whose result cannot be read is listed as such, and the records of the others are not read', async () => {
  const { pool } = engine.store;
  await queueRows(pool, { tenant: 'local', count: 3 });
  await pool.query(`update collab.task set state = 'driven' where run_id = 'local-0-2'`);
  await pool.query(
    `insert into collab.run_event (run_id, seq, type, body) values ('local-0-2', 1, 'run.started', 'no record')`,
  );
  await engine.rows.putFile('local-0-3', 'result.json', '{}');
  const states = (await engine.describeAll('')).map(({ run, state }) => [run, state]);
  expect(Object.fromEntries(states)).toEqual({
    'local-0-1': 'queued',
    'local-0-2': 'running',
    'local-0-3': 'unreadable',
  });
});
