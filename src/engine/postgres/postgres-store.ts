/** Runs in PostgreSQL: any number of processes on any number of machines, one owner for each run. */
import { basename } from 'node:path';
import type { PoolClient } from 'pg';
import { CollabError } from '../../errors/collab-error.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import { sha256 } from '../../text/digest.ts';
import { lineOf } from '../journal/journal-line.ts';
import { envelopeOf, isCommitPoint, type RunEnvelope } from '../journal/journal.ts';
import { numberRecords } from '../journal/number-records.ts';
import type { RequestHandler } from '../lock/requests.ts';
import type { Claim, ClaimOptions, EngineStore } from '../store/engine-store.ts';
import {
  databaseFault,
  faultsInWords,
  inTransaction,
  lostDatabase,
  openDatabase,
  repeatWhileOut,
  type Database,
} from './connect.ts';
import { createGroupCommit, type OwnRun, type GroupCommit, type PendingBlob } from './group-commit.ts';
import { checkMigrated } from './migrate.ts';
import { askByRow, createAnsweringService, type AnsweringService } from './owner-requests.ts';
import {
  corruptBlob,
  noRun,
  openRowReader,
  readEnds,
  readRows,
  readStoredBlob,
  recallRows,
} from './read-rows.ts';
import { findProcess, showPresence, type Presence } from './presence.ts';

export interface PostgresStore extends EngineStore {
  readonly pool: Database['pool'];
  /** The number of this process in the database. */
  readonly process: number;
  /** Fires when this process was out of reach for too long: others have its runs. */
  readonly lost: AbortSignal;
  /** Ends the connections; the runs of this process are free for others. */
  close(): Promise<void>;
}

/** @throws CollabError `config` without `pg` or its tables, `network` */
export async function openPostgresStore(url: string): Promise<PostgresStore> {
  const database = await openDatabase(url);
  try {
    await checkMigrated(database.pool);
    return createStore(database, await showPresence(database));
  } catch (error) {
    await database.close();
    throw databaseFault(error);
  }
}

interface Parts {
  readonly database: Database;
  readonly presence: Presence;
  readonly commits: GroupCommit;
  /** The runs of this process. */
  readonly held: Map<string, Held>;
  /** The runs that this process is about to take. */
  readonly taking: Set<string>;
  readonly answering: AnsweringService;
}

interface Held extends OwnRun {
  handler: RequestHandler;
  lose(): void;
}

function createStore(database: Database, presence: Presence): PostgresStore {
  const { pool } = database;
  const held = new Map<string, Held>();
  const answering = createAnsweringService(
    pool,
    presence.number,
    (runId) => held.get(runId)?.handler ?? null,
  );
  const commits = createGroupCommit(pool, presence.lost);
  const parts = { database, presence, commits, held, answering, taking: new Set<string>() };
  presence.onSign(() => {
    if (held.size === 0) return;
    // A database that does not answer now does at a later sign.
    void Promise.all([answering.answerAll(), loseTaken(pool, held)]).catch(() => undefined);
  });
  presence.lost.addEventListener('abort', () => {
    for (const run of held.values()) run.lose();
  });

  async function findOwner(runId: string): Promise<number | null> {
    const { rows } = await pool.query<{ owner: number | null }>(
      'select owner from collab.run where id = $1',
      [runId],
    );
    const owner = rows[0]?.owner ?? null;
    if (owner === null || owner === presence.number) return owner;
    return (await findProcess(pool, owner, { ends: false })) === null ? null : owner;
  }

  return {
    pool,
    process: presence.number,
    lost: presence.lost,
    claim: (options) => faultsInWords(() => claimRun(parts, options)),
    recall: (runFolder) => repeatWhileOut(() => recallRows(pool, basename(runFolder))),
    read: (runFolder, clock) => openRowReader(pool, basename(runFolder), clock),
    ends: (runFolder) => repeatWhileOut(() => readEnds(pool, basename(runFolder))),
    text: (runFolder, name) => repeatWhileOut(() => readStoredBlob(pool, basename(runFolder), name)),
    isOwned: (runFolder) => repeatWhileOut(async () => (await findOwner(basename(runFolder))) !== null),
    ask: (runFolder, request, signal) =>
      faultsInWords(() => {
        const runId = basename(runFolder);
        const owner = () => repeatWhileOut(() => findOwner(runId));
        return askByRow(pool, runId, { request, signal, findOwner: owner });
      }),
    async close() {
      await presence.close();
      await database.close();
    },
  };
}

async function claimRun(
  parts: Parts,
  { runFolder, envelope, clock, onCommit }: ClaimOptions,
): Promise<Claim> {
  const { database, commits, held, answering } = parts;
  const { pool } = database;
  const runId = basename(runFolder);
  if (parts.taking.has(runId)) throw lockedBy(thisProcess(), runId);
  parts.taking.add(runId);
  const { generation, past } = await repeatWhileOut(
    () => takeRun(parts, runId, envelope),
    parts.presence.lost,
  ).catch((error: unknown) => {
    parts.taking.delete(runId);
    throw error;
  });
  const own = envelope ?? envelopeOf(past[0] ?? raise(noRun(runId)));
  const number = numberRecords(own, past, clock);
  const lost = new AbortController();
  const texts = new Map<string, string>();
  let fresh: PendingBlob[] = [];
  let lastSeq = past.length;
  let pending: Promise<void> | null = null;
  const run: Held = { runId, generation, handler: refuseWhileStarting, lose: () => lost.abort() };
  held.set(runId, run);
  parts.taking.delete(runId);

  async function write(events: readonly CollabEvent[], isCommit: boolean): Promise<void> {
    const records = events.map((event) => ({ seq: event.seq, type: event.type, body: lineOf(event).text }));
    const blobs = fresh;
    fresh = [];
    await commits.append({ runId, generation, records, blobs });
    if (isCommit) onCommit?.(events);
  }

  /** Keeps a statement as the barrier that `durable` waits for. */
  function hold(statement: Promise<void>): Promise<void> {
    const barrier = statement.catch((error: unknown) => {
      lost.abort();
      throw error;
    });
    pending = barrier;
    void forget(barrier);
    return barrier;
  }

  /** A fault stays for the next barrier of the drive. */
  async function forget(written: Promise<void>): Promise<void> {
    const isWritten = await written.then(
      () => true,
      () => false,
    );
    if (isWritten && pending === written) pending = null;
  }

  return {
    past,
    lost: lost.signal,
    isOurs: () => !lost.signal.aborted,
    blobs: {
      put(text) {
        const sha = sha256(text);
        if (!texts.has(sha)) fresh.push({ sha, text });
        texts.set(sha, text);
        return sha;
      },
      get: async (sha) =>
        texts.get(sha) ??
        (await readStoredBlob(pool, runId, sha)) ??
        raise(corruptBlob(runId, sha, 'is missing')),
    },
    append(drafts) {
      const events = number(drafts, lastSeq);
      if (events.length === 0) return events;
      lastSeq += events.length;
      void hold(write(events, drafts.some(isCommitPoint)));
      return events;
    },
    durable() {
      if (pending !== null) return pending;
      // A process that was stopped since its last record may have lost the run.
      const asked = commits.confirm(run);
      return asked === null ? null : hold(asked);
    },
    onRequest(handler) {
      run.handler = handler;
    },
    async release() {
      await pending?.catch(() => undefined);
      await answering.replied(runId);
      if (held.get(runId) === run) held.delete(runId);
      commits.forget(runId);
      // While this process is alive, a run that it does not free is free for no one.
      await repeatWhileOut(
        () =>
          pool.query('update collab.run set owner = null where id = $1 and generation = $2', [
            runId,
            generation,
          ]),
        parts.presence.lost,
        // A database that is out of reach for longer frees the run itself: this process is lost.
      ).catch(() => undefined);
    },
  };
}

/** Finds the runs that another process has taken, so that their agents end at once. */
async function loseTaken(pool: Database['pool'], held: ReadonlyMap<string, Held>): Promise<void> {
  const known = [...held];
  const { rows } = await pool.query<{ id: string; generation: number }>(
    'select id, generation from collab.run where id = any($1)',
    [known.map(([runId]) => runId)],
  );
  const generations = new Map(rows.map(({ id, generation }) => [id, generation]));
  for (const [runId, run] of known) if (generations.get(runId) !== run.generation) run.lose();
}

interface Taken {
  readonly generation: number;
  readonly past: readonly CollabEvent[];
}

async function takeRun(
  { database, presence, held }: Parts,
  runId: string,
  envelope: RunEnvelope | null,
): Promise<Taken> {
  return inTransaction(database.pool, async (client) => {
    if (envelope !== null) await createRow(client, runId, envelope);
    return takeRow(client, runId, { presence, isHeld: held.has(runId) });
  });
}

async function createRow(client: PoolClient, runId: string, envelope: RunEnvelope): Promise<void> {
  await client.query(
    'insert into collab.run (id, tenant, conversation) values ($1, $2, $3) on conflict do nothing',
    [runId, envelope.tenantId, envelope.conversationId],
  );
}

interface Taker {
  readonly presence: Presence;
  /** False if this process took the run and does not know, since the connection broke. */
  readonly isHeld: boolean;
}

async function takeRow(
  client: PoolClient,
  runId: string,
  { presence: { number, lost }, isHeld }: Taker,
): Promise<Taken> {
  const { rows } = await client.query<{ owner: number | null; owned_at: Date | null }>(
    'select owner, owned_at from collab.run where id = $1 for update',
    [runId],
  );
  const [row] = rows;
  if (row === undefined) throw noRun(runId);
  if (lost.aborted) throw lostDatabase();
  if (row.owner !== null && (row.owner !== number || isHeld)) {
    const owner = row.owner === number ? thisProcess() : await findProcess(client, row.owner, { ends: true });
    if (owner !== null) throw lockedBy({ ...owner, since: row.owned_at }, runId);
  }
  const taken = await client.query<{ generation: number }>(
    `update collab.run set generation = generation + 1, owner = $2, owned_at = now() where id = $1
     returning generation`,
    [runId, number],
  );
  return {
    generation: taken.rows[0]?.generation ?? 0,
    past: (await readRows(client, runId)).map(({ event }) => event),
  };
}

function refuseWhileStarting() {
  return Promise.resolve({ ok: false, message: 'the run is starting', passing: true } as const);
}

interface Owner {
  readonly host: string;
  readonly pid: number;
  readonly since?: Date | null;
}

function thisProcess(): Owner {
  return { host: 'this machine', pid: process.pid };
}

function lockedBy({ host, pid, since: time }: Owner, runId: string): CollabError {
  const since = `${(time ?? new Date()).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return new CollabError(
    'locked',
    `Another collab (process ${pid} on ${host}, since ${since}) is working on this run`,
    {
      hint: 'collab wait follows it; collab cancel ends it.',
      details: { pid, host, since, run_id: runId },
    },
  );
}

function raise(error: CollabError): never {
  throw error;
}
