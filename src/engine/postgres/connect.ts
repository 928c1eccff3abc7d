/** Connections to a database of runs. `pg` is an optional part: it is loaded here, and nowhere else. */
import type { Client, Pool, PoolClient } from 'pg';
import { CollabError } from '../../errors/collab-error.ts';
import { databasePart } from '../../errors/database-fault.ts';
import { hasCode } from '../../errors/has-code.ts';
import { nap } from '../../system/nap.ts';

/** The most connections of a process in its pool; one more shows that it is alive. */
const mostConnections = 4;
/** A host that does not answer is out of reach. */
const connectTimeoutMs = 10_000;
/** A query that gets no answer for so long is on a connection that broke without a sign. */
const queryTimeoutMs = 60_000;
/** The same for a connection of its own, whose queries are short. */
const shortQueryTimeoutMs = 5000;
/** Between two attempts of a query that the database did not answer. */
const repeatMs = 200;
/** A database that is out of reach for longer is a fault. */
const repeatForMs = 30_000;

export interface Database {
  readonly pool: Pool;
  /** Opens a connection of its own, for short queries; the caller ends it. @throws CollabError `network`, `config` */
  connect(): Promise<Client>;
  close(): Promise<void>;
}

/** Connects with the first query. @throws CollabError `config` for a bad address, or if `pg` is not installed */
export async function openDatabase(url: string): Promise<Database> {
  refuseOtherAddress(url);
  const { default: pg } = await loadDriver();
  const settings = {
    connectionString: url,
    application_name: 'collab',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...settings, max: mostConnections, query_timeout: queryTimeoutMs });
  // A connection that breaks while no query uses it; the next query opens another.
  pool.on('error', () => undefined);
  // One that breaks between two queries of a transaction; the next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    pool,
    async connect() {
      const client = new pg.Client({ ...settings, query_timeout: shortQueryTimeoutMs });
      client.on('error', () => undefined);
      await client.connect().catch((error: unknown) => raise(databaseFault(error)));
      return client;
    },
    close: () => pool.end(),
  };
}

/** Returns the fault in words, for a person; anything but a fault of the database is returned as it is. */
export function databaseFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CollabError) return error;
  const state = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const why = error.message === '' ? state : error.message;
  if (state === '42P01' || state === '3F000') {
    return noTables(error);
  }
  if (state === '42501') {
    return new CollabError('config', `The database refuses its role a right: ${why}`, {
      details: databasePart,
      cause: error,
    });
  }
  if (/^(?:28|3D)/.test(state)) {
    return new CollabError('config', `The database cannot be opened: ${why}`, {
      hint: 'Check user, password and name in the address of --engine.',
      details: databasePart,
      cause: error,
    });
  }
  const isOut =
    /^(?:08|57P|53)/.test(state) ||
    hasCode(error, 'ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN') ||
    /terminated|timeout|not queryable|Connection ended/i.test(error.message) ||
    isEnded(error);
  if (!isOut) return error;
  return outOfReach(why, error);
}

/** Returns true if this process has ended its connections, for example to open the database again: they do not come back. */
function isEnded(error: unknown): boolean {
  return error instanceof Error && error.message.includes('after calling end');
}

function outOfReach(why: string, cause?: unknown): CollabError {
  return new CollabError('network', `The database is out of reach: ${why}`, {
    hint: 'Check that PostgreSQL runs and that its address is right.',
    details: databasePart,
    cause,
  });
}

export function lostDatabase(): CollabError {
  return new CollabError('network', 'This process has lost the database for too long', {
    hint: 'Start it again, unless it is a server, which opens the database again by itself.',
    details: databasePart,
  });
}

/** The longest wait of a look whether the database answers. */
const readyLimitMs = 2000;

/** Rejects at once if the database does not answer now. @throws CollabError `network`, `config` */
export async function checkReach(pool: Pick<Pool, 'query'>, limitMs = readyLimitMs): Promise<void> {
  const answered = new AbortController();
  try {
    await Promise.race([faultsInWords(() => pool.query('select 1')), refuseLate(limitMs, answered.signal)]);
  } finally {
    answered.abort();
  }
}

async function refuseLate(limitMs: number, answered: AbortSignal): Promise<void> {
  await nap(limitMs, answered);
  if (!answered.aborted) throw outOfReach('it does not answer');
}

export async function faultsInWords<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw databaseFault(error);
  }
}

/**
 * Performs `work` again while the database is out of reach: only for work that may be done twice. A fault that lasts for
 * `forMs`, any other fault, and one after `signal` fired or the pool was ended, is thrown, in words.
 */
export async function repeatWhileOut<Value>(
  work: () => Promise<Value>,
  signal?: AbortSignal,
  forMs = repeatForMs,
): Promise<Value> {
  const givesUpAt = performance.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const fault = databaseFault(error);
      const isOver = isEnded(error) || signal?.aborted === true || performance.now() > givesUpAt;
      if (isOver || !isOutOfReach(fault)) throw fault;
      await nap(repeatMs, signal);
    }
  }
}

/** Performs `work` at once or not at all. A connection that cannot roll back is not used again. */
export async function inTransaction<Value>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  let isUsable = false;
  try {
    await client.query('begin');
    const value = await work(client);
    await client.query('commit');
    isUsable = true;
    return value;
  } catch (error) {
    isUsable = await client.query('rollback').then(
      () => true,
      () => false,
    );
    throw error;
  } finally {
    client.release(!isUsable);
  }
}

export function isOutOfReach(fault: unknown): boolean {
  return fault instanceof CollabError && fault.code === 'network';
}

export function noTables(cause?: unknown): CollabError {
  return new CollabError('config', 'The database holds no tables of collab', {
    hint: 'collab engine migrate creates them.',
    details: databasePart,
    cause,
  });
}

function refuseOtherAddress(url: string): void {
  if (/^postgres(?:ql)?:\/\//.test(url)) return;
  throw new CollabError('config', 'The address of an engine begins with postgres://', {
    hint: 'for example postgres://collab@db.example.com/collab',
  });
}

async function loadDriver() {
  try {
    return await import('pg');
  } catch (cause) {
    throw new CollabError('config', 'An engine in PostgreSQL needs the package pg, which is not installed', {
      hint: 'npm install pg, where collab is installed',
      cause,
    });
  }
}

function raise(error: unknown): never {
  throw error;
}
