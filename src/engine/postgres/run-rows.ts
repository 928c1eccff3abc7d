/** Runs as rows, for a process that submits, lists or continues them: input, files and place in the queue. */
import type { Pool } from 'pg';
import { CollabError } from '../../errors/collab-error.ts';
import type { TaskState } from '../store/dispatcher.ts';
import { repeatWhileOut } from './connect.ts';

export interface NewRunRow {
  readonly runId: string;
  readonly tenant: string;
  readonly conversation: string;
  readonly kind: string;
  /** The providers that the run asks; a process takes only runs whose providers it has. */
  readonly providers: readonly string[];
  /** The form of the input. */
  readonly protocol: number;
  /** JSON. */
  readonly input: string;
  /** The id of its files, which are stored; null if it has none. */
  readonly tree: string | null;
}

export interface RunRow {
  readonly runId: string;
  readonly tenant: string;
  readonly conversation: string;
  readonly input: string;
  readonly tree: string | null;
  readonly state: TaskState;
}

export interface RunRows {
  /**
   * Stores a run and queues it, at once or not at all; repeated with the same id, it stores one run.
   * @throws CollabError `input` if the id is another run's
   */
  create(run: NewRunRow): Promise<void>;
  find(runId: string): Promise<RunRow | null>;
  /** Returns the state alone, for frequent looks: the input may be large. Returns null if there is no such run. */
  state(runId: string): Promise<TaskState | null>;
  /** Returns the ids of all submitted runs of a tenant, newest first. */
  list(tenant: string): Promise<readonly string[]>;
  /** Stores a text of a run; the first one with its name is kept. */
  putFile(runId: string, name: string, text: string): Promise<void>;
  file(runId: string, name: string): Promise<string | null>;
  /** Ends the queueing of a run, whichever process has it. */
  finish(runId: string): Promise<void>;
}

const createSql = `
with kept as (
  insert into collab.run (id, tenant, conversation, kind, input, tree) values ($1, $2, $3, $4, $5, $6)
  on conflict (id) do nothing returning id
), used as (
  update collab.tree set used_at = now() where id = $6
)
insert into collab.task (run_id, kind, providers, protocol) select id, $4, $7, $8 from kept`;

export function createRunRows(pool: Pick<Pool, 'query'>): RunRows {
  return {
    async create(run) {
      await repeatWhileOut(() =>
        pool.query(createSql, [
          run.runId,
          run.tenant,
          run.conversation,
          run.kind,
          run.input,
          run.tree,
          run.providers,
          run.protocol,
        ]),
      );
      const kept = await findRow(pool, run.runId);
      if (kept?.input === run.input && kept.tenant === run.tenant) return;
      throw new CollabError('input', `The database has another run with the id ${run.runId}`, {
        details: { run_id: run.runId },
      });
    },
    find: (runId) => findRow(pool, runId),
    async state(runId) {
      const { rows } = await repeatWhileOut(() =>
        pool.query<{ state: TaskState }>('select state from collab.task where run_id = $1', [runId]),
      );
      return rows[0]?.state ?? null;
    },
    async list(tenant) {
      const { rows } = await repeatWhileOut(() =>
        pool.query<{ id: string }>(
          `select run.id from collab.run join collab.task on task.run_id = run.id
           where run.tenant = $1 order by run.created_at desc, run.id desc`,
          [tenant],
        ),
      );
      return rows.map(({ id }) => id);
    },
    async putFile(runId, name, text) {
      await repeatWhileOut(() =>
        pool.query(
          'insert into collab.run_file (run_id, name, body) values ($1, $2, $3) on conflict do nothing',
          [runId, name, text],
        ),
      );
    },
    async file(runId, name) {
      const { rows } = await repeatWhileOut(() =>
        pool.query<{ body: string }>('select body from collab.run_file where run_id = $1 and name = $2', [
          runId,
          name,
        ]),
      );
      return rows[0]?.body ?? null;
    },
    async finish(runId) {
      await repeatWhileOut(() =>
        pool.query(`update collab.task set state = 'done', worker = null where run_id = $1`, [runId]),
      );
    },
  };
}

async function findRow(pool: Pick<Pool, 'query'>, runId: string): Promise<RunRow | null> {
  const { rows } = await repeatWhileOut(() =>
    pool.query<RunRow>(
      `select run.id as "runId", run.tenant, run.conversation, run.input, run.tree, task.state
       from collab.run join collab.task on task.run_id = run.id where run.id = $1`,
      [runId],
    ),
  );
  return rows[0] ?? null;
}
