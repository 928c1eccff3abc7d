/** Decides by rows which process drives a run: a row is locked while it is taken, and processes skip what others have locked. */
import type { Dispatcher, Task, TaskDeparture, WantedTasks } from '../store/dispatcher.ts';
import { repeatWhileOut } from './connect.ts';
import type { PostgresStore } from './postgres-store.ts';
import { isGoneSql } from './presence.ts';

/**
 * A run needs a drive if it is queued, if its process is gone, or if another process answered its question. A run that this
 * process took and does not drive was taken by a statement whose reply was lost.
 */
const takeSql = `
with next as (
  select task.run_id, task.state, task.worker from collab.task
  left join collab.process on process.number = task.worker
  where task.state <> 'done' and task.ready_at <= clock_timestamp()
    and task.kind = any($2) and ($3::text[] is null or task.providers <@ $3) and task.protocol <= $4
    and task.run_id <> all($5)
    and (task.state = 'queued'
      or task.state = 'driven' and (task.worker = $1 or ${isGoneSql})
      or task.state = 'asking' and exists (
        select from collab.run_event
        where run_event.run_id = task.run_id and run_event.seq > task.left_seq
          and run_event.type in ('question.answered', 'run.ended')))
  order by task.queued_at
  limit 1
  for update of task skip locked
)
update collab.task set state = 'driven', worker = $1,
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
