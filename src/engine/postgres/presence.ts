/**
 * Shows that this process is alive, by two signs: an advisory lock of its own session, which the database frees when the
 * connection ends, and a time stamp, since a stopped process or a lost host keeps its session.
 */
import { hostname } from 'node:os';
import type { Client, PoolClient } from 'pg';
import { nap } from '../../system/nap.ts';
import type { Database } from './connect.ts';

/** The first key of all advisory locks of processes; the second is the number of the process. */
const presenceLock = 7_262_172;
const beatMs = 500;
/** After so long without a beat, a process counts as gone although it keeps its session. */
const silenceMs = 2000;
/** The time in which a process whose connection broke opens another before it counts as gone. */
const reconnectMs = 750;
/** The time that all processes have for it after a restart of the database. */
const restartMs = 5000;
/** A process that cannot reconnect for so long gives up its runs. */
const giveUpMs = 30_000;
const retryMs = 200;

export interface Presence {
  /** The number of this process in the database. */
  readonly number: number;
  /** Fires when this process has given up: it has no runs any more. */
  readonly lost: AbortSignal;
  /** Sets the listener of each beat and of each notification to this process. */
  onSign(listener: () => void): void;
  close(): Promise<void>;
}

/** @throws CollabError `network`, `config` */
export async function showPresence({ connect }: Pick<Database, 'connect'>): Promise<Presence> {
  const lost = new AbortController();
  const closing = new AbortController();
  let listener: (() => void) | null = null;
  let client = await connect();
  const number = await register(client);
  await client.query(`listen ${channelOf(number)}`);
  attach(client);
  let isBeating = false;

  function attach(connection: Client): void {
    connection.on('notification', () => listener?.());
    connection.on('end', () => void regain());
  }

  async function beat(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    const beaten = client;
    try {
      await beaten.query('update collab.process set seen_at = clock_timestamp() where number = $1', [number]);
      listener?.();
    } catch {
      // The connection broke, perhaps without a sign: its end starts another.
      await beaten.end().catch(() => undefined);
    } finally {
      isBeating = false;
    }
  }

  async function regain(): Promise<void> {
    const givesUpAt = performance.now() + giveUpMs;
    while (!closing.signal.aborted && !lost.signal.aborted) {
      const found = await connectAgain();
      if (found === 'back') return listener?.();
      if (found === 'forgotten' || performance.now() > givesUpAt) return lost.abort();
      await nap(retryMs, closing.signal);
    }
  }

  async function connectAgain(): Promise<'back' | 'not_yet' | 'forgotten'> {
    const next = await connect().catch(() => null);
    if (next === null) return 'not_yet';
    try {
      const isFree = await takeLock(next, number);
      const isKnown = isFree && (await resume(next, number));
      if (isKnown) await next.query(`listen ${channelOf(number)}`);
      if (isKnown && !closing.signal.aborted) {
        client = next;
        attach(next);
        return 'back';
      }
      await next.end();
      return isFree && !isKnown ? 'forgotten' : 'not_yet';
    } catch {
      await next.end().catch(() => undefined);
      return 'not_yet';
    }
  }

  const timer = setInterval(() => void beat(), beatMs);
  timer.unref();

  return {
    number,
    lost: lost.signal,
    onSign: (next) => {
      listener = next;
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      await client.query('delete from collab.process where number = $1', [number]).catch(() => undefined);
      await client.end().catch(() => undefined);
    },
  };
}

async function register(client: Client): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    `insert into collab.process (host, pid, backend) values ($1, $2, pg_backend_pid()) returning number`,
    [hostname(), process.pid],
  );
  const number = rows[0]?.number ?? 0;
  await takeLock(client, number);
  return number;
}

/** Returns false while an earlier session of this process still has it. */
async function takeLock(client: Client, number: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
    presenceLock,
    number,
  ]);
  return rows[0]?.taken === true;
}

/** Returns false if the process was removed from the database. */
async function resume(client: Client, number: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `update collab.process set backend = pg_backend_pid(), seen_at = clock_timestamp() where number = $1`,
    [number],
  );
  return rowCount === 1;
}

/** The notifications that a process listens to. */
export function channelOf(process: number): string {
  return `collab_process_${process}`;
}

export interface KnownProcess {
  readonly host: string;
  readonly pid: number;
}

/** True in SQL if the session of `process`, a row of `collab.process`, has its lock. */
const hasSessionSql = `exists (
  select from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid = ${presenceLock} and objid = process.number and objsubid = 2 and granted)`;

const silentMsSql = 'extract(epoch from clock_timestamp() - process.seen_at) * 1000';

/**
 * True in SQL if `process`, a row of `collab.process` or none, is of a process that is gone. The locks are read for a silent
 * process alone.
 */
export const isGoneSql = `(process.number is null
  or (${silentMsSql} > ${reconnectMs}
    and (${silentMsSql} > ${silenceMs} or not ${hasSessionSql})
    and extract(epoch from clock_timestamp() - pg_postmaster_start_time()) * 1000 > ${restartMs}))`;

const findSql = `
select host, pid, backend, ${hasSessionSql} as has_session, ${isGoneSql} as is_gone
from collab.process where number = $1`;

/**
 * Returns the process if it is alive; null if it is gone. With `ends`, one that is silent but keeps its session loses it, so
 * that it notices when it wakes up.
 */
export async function findProcess(
  client: Pick<PoolClient, 'query'>,
  number: number,
  { ends }: { readonly ends: boolean },
): Promise<KnownProcess | null> {
  const { rows } = await client.query<ProcessRow>(findSql, [number]);
  const [found] = rows;
  if (found === undefined) return null;
  if (!found.is_gone) return found;
  if (ends && found.has_session) await client.query('select pg_terminate_backend($1)', [found.backend]);
  return null;
}

interface ProcessRow extends KnownProcess {
  readonly backend: number;
  readonly has_session: boolean;
  readonly is_gone: boolean;
}
