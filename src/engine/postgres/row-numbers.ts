/** The numbers of all runs of a database, over all tenants: for its owner alone. */
import type { Pool } from 'pg';
import type { TaskState } from '../store/dispatcher.ts';
import { repeatWhileOut } from './connect.ts';

export interface RunCount {
  readonly kind: string;
  readonly state: TaskState;
  /** Empty until a run ends, and for one that ends without an outcome. */
  readonly outcome: string;
  readonly runs: number;
}

export interface RecordedRow {
  readonly runId: string;
  /** The number of its last record. */
  readonly last: number;
}

export interface RowNumbers {
  counts(): Promise<readonly RunCount[]>;
  /** Returns the runs with records that have not ended, and those that ended after `since`, in milliseconds since 1970. */
  recorded(since: number): Promise<readonly RecordedRow[]>;
}

/** A worker of an older version stores a result and no outcome: it is read from the result, whose own fields have two spaces. */
const countsSql = `
select task.kind, task.state, coalesce(task.outcome, stored.outcome, '') as outcome, count(*)::integer as runs
from collab.task left join lateral (
  select substring(body from E'\\n  "outcome": "(\\\\w+)"') as outcome from collab.run_file
  where run_id = task.run_id and name = 'result.json' and task.state = 'done' and task.outcome is null
) stored on true
group by 1, 2, 3
order by 1, 2, 3`;

const recordedSql = `
select run.id as "runId", record.last from (
  select run_id as id from collab.task where state <> 'done'
  union select id from collab.run where ended_at >= to_timestamp($1::float8 / 1000)
) run cross join lateral (select max(seq) as last from collab.run_event where run_id = run.id) record
where record.last is not null`;

export function createRowNumbers(pool: Pick<Pool, 'query'>): RowNumbers {
  return {
    async counts() {
      return (await repeatWhileOut(() => pool.query<RunCount>(countsSql))).rows;
    },
    async recorded(since) {
      return (await repeatWhileOut(() => pool.query<RecordedRow>(recordedSql, [since]))).rows;
    },
  };
}
