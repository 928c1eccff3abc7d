/** Runs in the queue of a test, as rows: without an input, since no process drives them. */
import type { PostgresStore } from '../../../src/engine/postgres/postgres-store.ts';
import { createRowDispatcher } from '../../../src/engine/postgres/row-dispatcher.ts';
import type { WantedTasks } from '../../../src/engine/store/dispatcher.ts';
import { priorities, type Priority } from '../../../src/tags/priorities.ts';

export interface QueuedRows {
  readonly tenant: string;
  readonly count: number;
  readonly priority?: Priority;
  readonly providers?: readonly string[];
  /** Seconds since they were submitted; the first one has waited longest. Default: 60. */
  readonly waited?: number;
}

const insertSql = `
with added as (
  insert into collab.run (id, tenant, conversation, kind, input)
  select $1 || '-' || $2::integer || '-' || number, $1, $1 || '-' || number, 'review', '{}'
  from generate_series(1, $3::integer) number
  returning id
)
insert into collab.task (run_id, tenant, kind, providers, protocol, priority, queued_at)
select id, $1, 'review', $4, 1, $2::integer,
  clock_timestamp() - make_interval(secs => $5 - split_part(id, '-', 3)::float8 / 1000000)
from added`;

/** Their ids are `tenant-priority-number`. */
export async function queueRows(
  pool: PostgresStore['pool'],
  { tenant, count, priority = 'person', providers = ['codex'], waited = 60 }: QueuedRows,
): Promise<void> {
  await pool.query(insertSql, [tenant, priorities.indexOf(priority), count, providers, waited]);
}

export const anyRun: WantedTasks = { kinds: ['review'], providers: null, protocol: 1, driving: [] };

/** A process that takes runs and drives none. */
export function createTaker(store: PostgresStore) {
  const dispatcher = createRowDispatcher(store);
  const driving: string[] = [];
  return {
    dispatcher,
    /** Takes a run; returns its id, or null if there is none. */
    async take(wanted: Partial<WantedTasks> = {}): Promise<string | null> {
      const task = await dispatcher.take({ ...anyRun, driving, ...wanted });
      if (task !== null) driving.push(task.runId);
      return task?.runId ?? null;
    },
    /** Takes so many runs, one after the other. */
    async takeAll(count: number, wanted: Partial<WantedTasks> = {}): Promise<readonly (string | null)[]> {
      const taken: (string | null)[] = [];
      for (let index = 0; index < count; index += 1) taken.push(await this.take(wanted));
      return taken;
    },
    async leave(runId: string): Promise<void> {
      await dispatcher.leave(runId, { kind: 'done' });
      driving.splice(driving.indexOf(runId), 1);
    },
  };
}

export function tenantsOf(runs: readonly (string | null)[]): readonly string[] {
  return runs.map((run) => run?.split('-')[0] ?? 'none');
}
