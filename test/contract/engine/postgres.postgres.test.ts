import { basename } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openDatabase, type Database } from '../../../src/engine/postgres/connect.ts';
import { migrate, migrateDatabase } from '../../../src/engine/postgres/migrate.ts';
import { openPostgresStore, type PostgresStore } from '../../../src/engine/postgres/postgres-store.ts';
import type { EngineStore } from '../../../src/engine/store/engine-store.ts';
import { openDatabaseEngine } from '../../../src/runs/engine/database-engine.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { testDrives } from './drive-contract.ts';
import { testEngine } from './engine-contract.ts';
import { testStart } from './start-contract.ts';
import { testOtherProcesses } from './outside-contract.ts';
import type { StoreUnderTest } from './store-under-test.ts';

let cluster: PostgresCluster;
let database: Database;
let own: PostgresStore;
let foreign: PostgresStore;

beforeAll(async () => {
  cluster = await startPostgres();
  const url = await cluster.createDatabase();
  database = await openDatabase(url);
  await migrate(database.pool);
  own = await openPostgresStore(url);
  foreign = await openPostgresStore(url);
});
afterAll(async () => {
  await Promise.all([own.close(), foreign.close(), database.close()]);
  await cluster.remove();
});

const postgres: StoreUnderTest = {
  name: 'PostgreSQL',
  store: opened(() => own),
  other: opened(() => foreign),
  async takeFrom(runFolder) {
    await database.pool.query(
      'update collab.run set generation = generation + 1, owner = null where id = $1',
      [basename(runFolder)],
    );
  },
};

testDrives(postgres);
testOtherProcesses(postgres);
testEngine(postgres);
testStart('PostgreSQL', async () => {
  const url = await cluster.createDatabase();
  await migrateDatabase(url);
  return openDatabaseEngine(url, { clock: systemClock, env: process.env });
});

/** A store that is opened before the first test, after the tests were registered. */
function opened(store: () => EngineStore): EngineStore {
  return {
    claim: (options) => store().claim(options),
    read: (runFolder, clock) => store().read(runFolder, clock),
    ends: (runFolder) => store().ends(runFolder),
    text: (runFolder, name) => store().text(runFolder, name),
    recall: (runFolder) => store().recall(runFolder),
    isOwned: (runFolder) => store().isOwned(runFolder),
    ask: (runFolder, request, signal) => store().ask(runFolder, request, signal),
  };
}
