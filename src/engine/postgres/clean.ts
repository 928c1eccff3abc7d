/** Removes from a database what no one needs any more. */
import { withTables } from './migrate.ts';

export interface Cleaned {
  /** Runs that had ended, with their records and texts. */
  readonly runs: number;
  /** Processes that ended without a word. */
  readonly processes: number;
}

/** The time after which a silent process has no runs any more, even if the database was restarted. */
const silentProcess = '1 hour';

/** The files of a run are stored before the run. */
const unusedTree = '1 hour';

/** The calls of a day count for the budget of the day. */
const keptCalls = '2 days';

/** Removes runs that ended longer than `olderThanMs` ago. @throws CollabError `config`, `network` */
export async function cleanDatabase(url: string, olderThanMs: number): Promise<Cleaned> {
  return withTables(url, async (pool) => {
    const runs = await pool.query(
      'delete from collab.run where ended_at < now() - make_interval(secs => $1)',
      [olderThanMs / 1000],
    );
    await pool.query(
      `delete from collab.tree where used_at < now() - interval '${unusedTree}'
         and not exists (select from collab.run where run.tree = tree.id)`,
    );
    await pool.query(
      `delete from collab.call
       where reserved_at < now() - greatest(make_interval(secs => $1), interval '${keptCalls}')`,
      [olderThanMs / 1000],
    );
    const processes = await pool.query(
      `delete from collab.process where seen_at < now() - interval '${silentProcess}'`,
    );
    return { runs: runs.rowCount ?? 0, processes: processes.rowCount ?? 0 };
  });
}
