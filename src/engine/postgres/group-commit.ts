/**
 * Writes the records of all runs of this process: those that arrive while a statement is on its way share the next one. Fence
 * and append are one statement, so that the records of a run that another process has taken are not written.
 */
import { gzipSync } from 'node:zlib';
import type { Pool } from 'pg';
import { CollabError } from '../../errors/collab-error.ts';
import { Deferred } from '../../system/deferred.ts';
import { repeatWhileOut } from './connect.ts';

export interface PendingRecord {
  readonly seq: number;
  readonly type: string;
  /** The line of a journal, without the newline. */
  readonly body: string;
}

export interface PendingBlob {
  readonly sha: string;
  readonly text: string;
}

/** A run as this process took it. */
export interface OwnRun {
  readonly runId: string;
  readonly generation: number;
}

/** A part of a run that is written at once or not at all. */
export interface Append extends OwnRun {
  readonly records: readonly PendingRecord[];
  /** The texts that these records are the first to name. */
  readonly blobs: readonly PendingBlob[];
}

interface Waiting extends Append {
  readonly written: Deferred<void>;
}

export interface GroupCommit {
  /** Resolves when the records are durable. @throws CollabError `locked`, `network` */
  append(part: Append): Promise<void>;
  /** Resolves if the run is ours now; null if a fresh reply has said so. @throws CollabError `locked`, `network` */
  confirm(run: OwnRun): Promise<void> | null;
  /** Forgets a run that this process has left. */
  forget(runId: string): void;
}

/** The most bytes of one statement, about; a larger part is one of its own. */
const mostBytes = 4 * 1024 * 1024;
/**
 * A reply that is older may come from before this process was stopped, and another one may have its runs by now. It is shorter
 * than the silence after which a process counts as gone.
 */
const freshMs = 1000;

/** Repeats what a broken connection may have lost, until `lost` fires. `now`: in milliseconds, from any moment on. */
export function createGroupCommit(
  pool: Pick<Pool, 'query'>,
  lost: AbortSignal,
  now = (): number => performance.now(),
): GroupCommit {
  const queue: Waiting[] = [];
  /** When the last statement was sent that found a run ours. */
  const confirmed = new Map<string, { readonly generation: number; readonly sentAt: number }>();
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (queue.length > 0) await writeNext(takeGroup(queue));
    isWriting = false;
  }

  async function writeNext(group: readonly Waiting[]): Promise<void> {
    try {
      const ours = await askUntilFresh(group, () => write(pool, group));
      for (const part of group) {
        if (ours.has(part.runId)) part.written.resolve();
        else part.written.reject(takenOver(part.runId));
      }
    } catch (error) {
      for (const part of group) part.written.reject(error);
    }
  }

  async function askNow(run: OwnRun): Promise<void> {
    const ours = await askUntilFresh([run], () => askFence(pool, [run]));
    if (!ours.has(run.runId)) throw takenOver(run.runId);
  }

  /**
   * A reply that was long on its way says nothing about now, and a paid call may depend on it: the fence is asked again. The
   * records are not sent again, since a large group may take longer each time.
   */
  function askUntilFresh(
    runs: readonly OwnRun[],
    first: () => Promise<ReadonlySet<string>>,
  ): Promise<ReadonlySet<string>> {
    const ask = async () => {
      let sentAt = now();
      let ours = await first();
      while (now() - sentAt >= freshMs && !lost.aborted) {
        sentAt = now();
        ours = await askFence(pool, runs);
      }
      for (const { runId, generation } of runs)
        if (ours.has(runId)) confirmed.set(runId, { generation, sentAt });
      return ours;
    };
    return repeatWhileOut(ask, lost, Infinity);
  }

  return {
    append(part) {
      const written = new Deferred<void>();
      queue.push({ ...part, written });
      if (!isWriting) void writeAll();
      return written.promise;
    },
    confirm(run) {
      const known = confirmed.get(run.runId);
      const isFresh = known?.generation === run.generation && now() - known.sentAt < freshMs;
      return isFresh ? null : askNow(run);
    },
    forget: (runId) => void confirmed.delete(runId),
  };
}

/** One generation of a run in each group: otherwise the result would not say whose records were written. */
function takeGroup(queue: Waiting[]): readonly Waiting[] {
  const generations = new Map<string, number>();
  let bytes = 0;
  const fitting = queue.findIndex(({ runId, generation, records, blobs }) => {
    if ((generations.get(runId) ?? generation) !== generation) return true;
    generations.set(runId, generation);
    bytes += [...records.map(({ body }) => body), ...blobs.map(({ text }) => text)].reduce(
      (sum, text) => sum + text.length,
      0,
    );
    return bytes > mostBytes;
  });
  return queue.splice(0, fitting === -1 ? queue.length : Math.max(1, fitting));
}

const appendSql = `
with record as (
  select * from unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::text[])
    as r (run_id, generation, seq, type, body)
), mine as (
  select run.id from collab.run
  join (select distinct run_id, generation from record) as claimed
    on run.id = claimed.run_id and run.generation = claimed.generation
  for share of run
), kept as (
  insert into collab.run_blob (run_id, sha, size, body)
  select b.run_id, b.sha, b.size, b.body
  from unnest($6::text[], $7::text[], $8::integer[], $9::bytea[]) as b (run_id, sha, size, body)
  join mine on mine.id = b.run_id
  on conflict do nothing
), added as (
  insert into collab.run_event (run_id, seq, type, body)
  select record.run_id, record.seq, record.type, record.body from record join mine on mine.id = record.run_id
  on conflict do nothing
), ended as (
  update collab.run set ended_at = now()
  where id in (select record.run_id from record join mine on mine.id = record.run_id where type = 'run.ended')
)
select id from mine`;

const fenceSql = `
select run.id from collab.run
join unnest($1::text[], $2::integer[]) as claimed (run_id, generation)
  on run.id = claimed.run_id and run.generation = claimed.generation`;

/** Returns the runs that are still ours. A generation never comes back: they were ours at any earlier moment, too. */
async function askFence(pool: Pick<Pool, 'query'>, group: readonly OwnRun[]): Promise<ReadonlySet<string>> {
  const generations = new Map(group.map(({ runId, generation }) => [runId, generation]));
  const claimed = [[...generations.keys()], [...generations.values()]];
  return idsIn(await pool.query<{ id: string }>(fenceSql, claimed));
}

function idsIn({ rows }: { readonly rows: readonly { readonly id: string }[] }): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id));
}

/** Returns the runs that are still ours: their records were written. */
async function write(pool: Pick<Pool, 'query'>, group: readonly Waiting[]): Promise<ReadonlySet<string>> {
  const records = group.flatMap((part) => part.records.map((record) => ({ ...part, ...record })));
  const blobs = group.flatMap(({ runId, blobs: texts }) => texts.map((blob) => ({ runId, ...blob })));
  const written = await pool.query<{ id: string }>(appendSql, [
    records.map(({ runId }) => runId),
    records.map(({ generation }) => generation),
    records.map(({ seq }) => seq),
    records.map(({ type }) => type),
    records.map(({ body }) => body),
    blobs.map(({ runId }) => runId),
    blobs.map(({ sha }) => sha),
    blobs.map(({ text }) => Buffer.byteLength(text)),
    blobs.map(({ text }) => gzipSync(text, { level: 1 })),
  ]);
  return idsIn(written);
}

function takenOver(runId: string): CollabError {
  return new CollabError('locked', `Another process has taken over the run ${runId}`, {
    details: { run_id: runId },
  });
}
