/** Decides by rows which process drives a run: a row is locked while it is taken, and processes skip what others have locked. */
import type { Dispatcher, Task, TaskDeparture, WantedTasks } from '../store/dispatcher.ts';
import { repeatWhileOut } from './connect.ts';
import type { PostgresStore } from './postgres-store.ts';
import { isGoneSql } from './presence.ts';

/**
 * A run that was begun needs a drive if its process is gone, or if another process answered its question. A run that this
 * process took and does not drive was taken by a statement whose reply was lost.
 */
const begunSql = `
  select task.run_id, task.state, task.worker from collab.task
  left join collab.process on process.number = task.worker
  where task.state in ('driven', 'asking') and ${fits('task')}
    and task.ready_at <= clock_timestamp() and task.run_id <> all($5)
    and (task.state = 'driven' and (task.worker = $1 or ${isGoneSql})
      or task.state = 'asking' and exists (
        select from collab.run_event
        where run_event.run_id = task.run_id and run_event.seq > task.left_seq
          and run_event.type in ('question.answered', 'run.ended')))
  order by task.queued_at
  limit 1
  for update of task skip locked`;

/**
 * The lanes of the queue: a tenant's runs of one kind, form and set of providers. The index is read once a lane, not once a
 * run.
 */
const laneColumns = 'tenant, kind, protocol, providers';
const lanesSql = `
  (select ${laneColumns} from collab.task where state = 'queued' order by ${laneColumns} limit 1)
  union all
  select following.* from lane cross join lateral (
    select ${laneColumns} from collab.task
    where state = 'queued' and (${laneColumns}) > (lane.tenant, lane.kind, lane.protocol, lane.providers)
    order by ${laneColumns}
    limit 1
  ) following`;

/** The queued runs of a lane that may be taken now, the next one first. */
const inLane = (lane: string): string => `
  where task.state = 'queued' and task.tenant = ${lane}.tenant and task.kind = ${lane}.kind
    and task.protocol = ${lane}.protocol and task.providers = ${lane}.providers
    and task.ready_at <= clock_timestamp() and task.run_id <> all($5)
  order by task.priority, task.queued_at
  limit 1`;

/** Processes that take at once see the same numbers of drives: each can give a tenant one run more than its share. */
const queuedSql = `
  select head.* from (
    select lane.* from lane
    left join collab.tenant on tenant.name = lane.tenant
    cross join lateral (
      select count(*) as drives from collab.task where task.state = 'driven' and task.tenant = lane.tenant
    ) load
    cross join lateral (select task.priority, task.queued_at from collab.task ${inLane('lane')}) first
    where ${fits('lane')}
    order by load.drives / coalesce(tenant.share, 1), first.priority, first.queued_at
  ) fair cross join lateral (
    select task.run_id, task.state, task.worker from collab.task ${inLane('fair')}
    for update skip locked
  ) head
  where not exists (select from begun)
  limit 1`;

/** @internal A test looks at its plan. */
export const takeSql = `
with recursive lane as (${lanesSql}), begun as (${begunSql}), queued as (${queuedSql}),
next as materialized (select * from begun union all select * from queued)
update collab.task set state = 'driven', worker = $1,
  taken_at = case when next.state = 'queued' then clock_timestamp() else task.taken_at end,
  lost = task.lost + case when next.state = 'driven' and next.worker <> $1 then 1 else 0 end
from next where task.run_id = next.run_id
returning task.run_id, task.lost, task.fault`;

interface TaskRow {
  readonly run_id: string;
  readonly lost: number;
  readonly fault: string | null;
}

export function createRowDispatcher({
  pool,
  process,
  lost,
}: Pick<PostgresStore, 'pool' | 'process' | 'lost'>): Dispatcher {
  const leave = (runId: string, changes: string, ...values: readonly unknown[]) =>
    repeatWhileOut(
      () =>
        pool.query(
          `update collab.task set ${changes} where run_id = $1 and worker = $2 and state = 'driven'`,
          [runId, process, ...values],
        ),
      lost,
    );
  return {
    async take({ kinds, providers, protocol, driving }: WantedTasks): Promise<Task | null> {
      const { rows } = await repeatWhileOut(
        () => pool.query<TaskRow>(takeSql, [process, kinds, providers, protocol, driving]),
        lost,
      );
      const [row] = rows;
      return row === undefined ? null : { runId: row.run_id, lost: row.lost, fault: row.fault };
    },
    async leave(runId: string, departure: TaskDeparture): Promise<void> {
      switch (departure.kind) {
        case 'queued':
          await leave(runId, `state = 'queued', worker = null, ready_at = ${later}`, departure.afterMs ?? 0);
          return;
        case 'fault':
          await leave(
            runId,
            `state = 'queued', worker = null, lost = lost + 1, ready_at = ${later}, fault = $4`,
            departure.afterMs,
            departure.message,
          );
          return;
        case 'asking':
          await leave(
            runId,
            `state = 'asking', worker = null, lost = 0, fault = null, left_seq = $3`,
            departure.seq,
          );
          return;
        case 'done':
          await leave(runId, `state = 'done', worker = null`);
      }
    },
  };
}

const later = 'clock_timestamp() + make_interval(secs => $3::float8 / 1000)';

/** True in SQL if this process can drive the runs of `row`. */
function fits(row: string): string {
  return `${row}.kind = any($2) and ($3::text[] is null or ${row}.providers <@ $3) and ${row}.protocol <= $4`;
}
