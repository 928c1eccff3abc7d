/** Runs in the queue of a test, which no process drives: as rows without an input, and as a review with one. */
import type { DatabaseEngine } from '../../../src/runs/engine/database-engine.ts';
import type { NewRun } from '../../../src/runs/engine/engine.ts';
import { newRunId, type RunFolder } from '../../../src/runs/folder/run-folder.ts';
import { prepareReview, takeChange } from '../../../src/runs/review/prepare.ts';
import { reviewOptions } from '../../../src/runs/review-options.test-helper.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { changeOf } from '../../fixtures/review-answers.ts';
import { scratchFolder } from '../../fixtures/scratch-repository.ts';
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

/** Submits a review of one file by `static_review`, which no process drives. */
export async function submitReview(
  engine: DatabaseEngine,
  { description, ...place }: Partial<NewRun> & { readonly description?: string } = {},
): Promise<RunFolder> {
  const options = reviewOptions({
    cwd: scratchFolder(),
    env: { HOME: scratchFolder(), PATH: process.env['PATH'] ?? '' },
    change: { kind: 'stdin', text: changeOf(1) },
    settings: { advisor: 'static_review' },
  });
  const prepared = await prepareReview(options, await takeChange(options));
  const { change } = prepared;
  const input = { ...prepared, change: { ...change, description: description ?? change.description } };
  return engine.start('', { runId: newRunId(systemClock), input, ...place });
}
