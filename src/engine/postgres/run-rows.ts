/** Runs as rows, for a process that submits, lists or continues them: input, files and place in the queue. */
import type { Pool } from 'pg';
import { CollabError } from '../../errors/collab-error.ts';
import { priorities, type Priority } from '../../tags/priorities.ts';
import type { TaskState } from '../store/dispatcher.ts';
import { inTransaction, repeatWhileOut } from './connect.ts';
import { refuseFullQueue } from './tenant-rows.ts';

export interface NewRunRow {
  readonly runId: string;
  readonly tenant: string;
  readonly conversation: string;
  /** The name of its repository in grants; null if it is of none. */
  readonly repository: string | null;
  /** The id of the token that started it, which ends with it; null if no token did. */
  readonly token: string | null;
  readonly kind: string;
  readonly priority: Priority;
  /** The providers that the run asks; a process takes only runs whose providers it has. */
  readonly providers: readonly string[];
  /** The form of the input. */
  readonly protocol: number;
  /** JSON. */
  readonly input: string;
  /** The id of its files, which are stored; null if it has none. */
  readonly tree: string | null;
  /** The facts that lists show of it, as JSON. */
  readonly listed: string;
}

/** The facts about a run that has its result. */
export interface EndedFacts extends Pick<NewRunRow, 'listed'> {
  /** Empty if it has none. */
  readonly outcome: string;
}

export interface RunRow {
  readonly runId: string;
  readonly tenant: string;
  readonly conversation: string;
  readonly input: string;
  readonly tree: string | null;
  readonly state: TaskState;
  /** The next owner of the run ends it. */
  readonly cancelAsked: boolean;
}

/** The facts that lists show of a run; null if a version without this column submitted it. */
export interface ListedRow extends Pick<RunRow, 'runId' | 'state'> {
  readonly listed: string | null;
}

/** A run as the lists of a server need it, without its input. */
export interface OwnedRun extends Pick<NewRunRow, 'runId' | 'conversation' | 'repository'> {
  /** Milliseconds since 1970: its end, otherwise its start. */
  readonly changedMs: number;
}

export interface RunRows {
  /**
   * Stores a run and queues it, at once or not at all; repeated with the same id, it stores one run.
   * @throws CollabError `input` if the id is another run's, `locked` if another run of its conversation has not ended,
   * `queue_full` if the tenant has as many queued runs as it may have
   */
  create(run: NewRunRow): Promise<void>;
  find(runId: string): Promise<RunRow | null>;
  /** Remembers for all later owners of a run that it is to end. */
  askCancel(runId: string): Promise<void>;
  /** Returns the state alone, for frequent looks: the input may be large. Returns null if there is no such run. */
  state(runId: string): Promise<TaskState | null>;
  /** Returns the ids of all submitted runs of a tenant, newest first. */
  list(tenant: string): Promise<readonly string[]>;
  /** Returns the facts about these runs, newest first, without their inputs and results. */
  listed(tenant: string): Promise<readonly ListedRow[]>;
  /** Returns the submitted runs of a tenant, or of one of its conversations, newest first. */
  ownedBy(tenant: string, conversation?: string): Promise<readonly OwnedRun[]>;
  /** Returns the ids of the runs of a token that have not ended. */
  openOf(token: string): Promise<readonly string[]>;
  /** Returns the tokens with runs that have not ended. */
  openTokens(): Promise<readonly string[]>;
  /** Stores a text of a run that ends by it, with the facts about the run from now on; the first one with its name is kept. */
  putFile(runId: string, name: string, text: string, facts: EndedFacts): Promise<void>;
  file(runId: string, name: string): Promise<string | null>;
  /** Ends the queueing of a run, whichever process has it. */
  finish(runId: string): Promise<void>;
}

const createSql = `
with kept as (
  insert into collab.run (id, tenant, conversation, kind, input, tree, repository, token, listed)
  values ($1, $2, $3, $4, $5, $6, $9, $10, $12)
  on conflict (id) do nothing returning id
), used as (
  update collab.tree set used_at = now() where id = $6
)
insert into collab.task (run_id, tenant, kind, providers, protocol, priority)
select id, $2, $4, $7, $8, $11 from kept`;

const putFileSql = `
with kept as (
  insert into collab.run_file (run_id, name, body) values ($1, $2, $3) on conflict do nothing returning run_id
), counted as (
  update collab.task set outcome = $5 where run_id in (select run_id from kept)
)
update collab.run set listed = $4, ended_at = coalesce(ended_at, now()) where id in (select run_id from kept)`;

/** A run that ends without a last record or a result has ended, too: it is cleaned, and no token ends it again. */
const finishSql = `
with finished as (
  update collab.task set state = 'done', worker = null where run_id = $1
)
update collab.run set ended_at = coalesce(ended_at, now()) where id = $1`;

/** Starts of one conversation follow each other: the second one sees the first one's row. */
const lockSql = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';

const activeSql = `
select from collab.run join collab.task on task.run_id = run.id
where run.tenant = $1 and run.conversation = $2 and run.id <> $3 and task.state <> 'done'`;

async function insertRun(client: Pick<Pool, 'query'>, run: NewRunRow): Promise<void> {
  const { runId, tenant, conversation, kind, input, tree, providers, protocol, repository, token } = run;
  await client.query(lockSql, [JSON.stringify([tenant, conversation])]);
  const active = await client.query(activeSql, [tenant, conversation, runId]);
  if (active.rowCount !== 0) {
    throw new CollabError('locked', `Another run of the conversation ${conversation} has not ended`, {
      details: { conversation },
    });
  }
  if (!(await isStored(client, runId))) await refuseFullQueue(client, tenant);
  const own = [runId, tenant, conversation, kind, input, tree];
  const place = [providers, protocol, repository, token, priorities.indexOf(run.priority), run.listed];
  await client.query(createSql, [...own, ...place]);
}

/** A start that is repeated has its place in the queue. */
async function isStored(client: Pick<Pool, 'query'>, runId: string): Promise<boolean> {
  return (await client.query('select from collab.run where id = $1', [runId])).rowCount !== 0;
}

export function createRunRows(pool: Pick<Pool, 'query' | 'connect'>): RunRows {
  return {
    async create(run) {
      await repeatWhileOut(() => inTransaction(pool, (client) => insertRun(client, run)));
      const kept = await findRow(pool, run.runId);
      if (kept?.input === run.input && kept.tenant === run.tenant) return;
      throw new CollabError('input', `The database has another run with the id ${run.runId}`, {
        details: { run_id: run.runId },
      });
    },
    find: (runId) => findRow(pool, runId),
    async askCancel(runId) {
      await repeatWhileOut(() =>
        pool.query('update collab.run set cancel_asked_at = coalesce(cancel_asked_at, now()) where id = $1', [
          runId,
        ]),
      );
    },
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
    async listed(tenant) {
      const { rows } = await repeatWhileOut(() =>
        pool.query<ListedRow>(
          `select run.id as "runId", run.listed, task.state
           from collab.run join collab.task on task.run_id = run.id
           where run.tenant = $1 order by run.created_at desc, run.id desc`,
          [tenant],
        ),
      );
      return rows;
    },
    async ownedBy(tenant, conversation) {
      const { rows } = await repeatWhileOut(() =>
        pool.query<OwnedRun>(
          `select run.id as "runId", run.conversation, run.repository,
             floor(extract(epoch from coalesce(run.ended_at, run.created_at)) * 1000)::float8 as "changedMs"
           from collab.run join collab.task on task.run_id = run.id
           where run.tenant = $1 and ($2::text is null or run.conversation = $2)
           order by run.created_at desc, run.id desc`,
          [tenant, conversation ?? null],
        ),
      );
      return rows;
    },
    async openOf(token) {
      const { rows } = await repeatWhileOut(() =>
        pool.query<{ id: string }>('select id from collab.run where token = $1 and ended_at is null', [
          token,
        ]),
      );
      return rows.map(({ id }) => id);
    },
    async openTokens() {
      const { rows } = await repeatWhileOut(() =>
        pool.query<{ token: string }>(
          'select distinct token from collab.run where token is not null and ended_at is null',
        ),
      );
      return rows.map(({ token }) => token);
    },
    async putFile(runId, name, text, { listed, outcome }) {
      await repeatWhileOut(() => pool.query(putFileSql, [runId, name, text, listed, outcome]));
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
      await repeatWhileOut(() => pool.query(finishSql, [runId]));
    },
  };
}

async function findRow(pool: Pick<Pool, 'query'>, runId: string): Promise<RunRow | null> {
  const { rows } = await repeatWhileOut(() =>
    pool.query<RunRow>(
      `select run.id as "runId", run.tenant, run.conversation, run.input, run.tree, task.state,
         run.cancel_asked_at is not null as "cancelAsked"
       from collab.run join collab.task on task.run_id = run.id where run.id = $1`,
      [runId],
    ),
  );
  return rows[0] ?? null;
}
