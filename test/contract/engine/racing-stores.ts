/** Six processes on one new database of a cluster, as six stores. */
import { migrateDatabase } from '../../../src/engine/postgres/migrate.ts';
import { openPostgresStore, type PostgresStore } from '../../../src/engine/postgres/postgres-store.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';

export const racers = 6;

export interface RacingStores {
  readonly cluster: PostgresCluster;
  readonly url: string;
  readonly stores: readonly PostgresStore[];
  /** The first of the stores. */
  readonly store: PostgresStore;
  close(): Promise<void>;
}

export async function startRacingStores(): Promise<RacingStores> {
  const cluster = await startPostgres();
  const url = await cluster.createDatabase();
  await migrateDatabase(url);
  const store = await openPostgresStore(url);
  const others = Array.from({ length: racers - 1 }, () => openPostgresStore(url));
  const stores = [store, ...(await Promise.all(others))];
  return {
    cluster,
    url,
    stores,
    store,
    async close() {
      await Promise.all(stores.map((one) => one.close()));
      await cluster.remove();
    },
  };
}
