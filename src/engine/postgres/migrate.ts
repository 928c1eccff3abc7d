/** Brings the tables of a database to this version. */
import type { Pool, PoolClient } from 'pg';
import { CollabError } from '../../errors/collab-error.ts';
import { databaseFault, inTransaction, noTables, openDatabase } from './connect.ts';
import { migrations } from './migrations.ts';

/** The key of the advisory lock under which tables change: one process at a time, others wait. */
const migrationLock = 7_262_171;

/** @returns the numbers of the migrations that were applied now. @throws CollabError `config`, `network` */
export async function migrateDatabase(url: string): Promise<readonly number[]> {
  const database = await openDatabase(url);
  try {
    return await migrate(database.pool);
  } catch (error) {
    throw databaseFault(error);
  } finally {
    await database.close();
  }
}

/**
 * Applies what is missing, at once or not at all: no process sees a version in between. Returns the numbers of the migrations that
 * were applied now. @throws CollabError `config` for a newer database
 */
export async function migrate(pool: Pool): Promise<readonly number[]> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    return applyMissing(client);
  });
}

/** Calls `use` with a database that has the tables of this version. @throws CollabError `config`, `network` */
export async function withTables<Result>(url: string, use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(url);
  try {
    await checkMigrated(database.pool);
    return await use(database.pool);
  } catch (error) {
    throw databaseFault(error);
  } finally {
    await database.close();
  }
}

/** Returns the number of the newest migration in the database; 0 if there is none. */
export async function databaseVersion(client: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('collab.migration') is not null as there`,
  );
  if (rows[0]?.there !== true) return 0;
  const found = await client.query<{ newest: number }>(
    'select coalesce(max(number), 0) as newest from collab.migration',
  );
  return found.rows[0]?.newest ?? 0;
}

/** @throws CollabError `config` if the tables are not those of this version */
export async function checkMigrated(pool: Pool): Promise<void> {
  const version = await databaseVersion(pool);
  refuseNewer(version);
  if (version === migrations.length) return;
  if (version === 0) throw noTables();
  throw new CollabError(
    'config',
    `The tables of the database are of version ${version}; this collab needs ${migrations.length}`,
    { hint: 'collab engine migrate brings them up to date.' },
  );
}

async function applyMissing(client: PoolClient): Promise<readonly number[]> {
  const version = await databaseVersion(client);
  refuseNewer(version);
  const missing = migrations.map((sql, index) => ({ number: index + 1, sql })).slice(version);
  // A role that may not make tables uses those that are there.
  if (missing.length === 0) return [];
  await client.query('create schema if not exists collab');
  await client.query(
    `create table if not exists collab.migration (
       number integer primary key, applied_at timestamptz not null default now())`,
  );
  for (const { number, sql } of missing) {
    await client.query(sql);
    await client.query('insert into collab.migration (number) values ($1)', [number]);
  }
  return missing.map(({ number }) => number);
}

function refuseNewer(version: number): void {
  if (version <= migrations.length) return;
  throw new CollabError(
    'config',
    `The tables of the database are of version ${version}; this collab knows ${migrations.length}`,
    { hint: 'Use the version of collab that migrated the database, or a newer one.' },
  );
}
