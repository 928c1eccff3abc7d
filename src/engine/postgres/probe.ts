/** Tries whether a database can hold runs: with a run of its own, which two processes' connections use and which is removed. */
import { randomBytes } from 'node:crypto';
import type { EventBody } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import type { RunEnvelope } from '../journal/journal.ts';
import type { Claim } from '../store/engine-store.ts';
import { databaseFault, openDatabase } from './connect.ts';
import { databaseVersion } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';

export interface ProbedDatabase {
  /** For example `15.18`. */
  readonly server: string;
  /** The number of its newest migration. */
  readonly version: number;
  /** The median time after which a record is durable. */
  readonly durableMs: number;
  /** The time after which another process has the reply of a run's owner. */
  readonly replyMs: number;
  readonly runs: number;
  /** The processes that are alive, without this one. */
  readonly processes: number;
}

/** Records that are timed. */
const records = 20;

/** @throws CollabError `config`, `network` with the first thing that does not work */
export async function probeDatabase(url: string, clock: Clock): Promise<ProbedDatabase> {
  const database = await openDatabase(url);
  const runId = `probe-${randomBytes(6).toString('hex')}`;
  try {
    const [own, other] = await Promise.all([openPostgresStore(url), openPostgresStore(url)]);
    try {
      const claim = await own.claim({ runFolder: runId, envelope: envelopeOf(runId), clock });
      claim.onRequest(() => Promise.resolve({ ok: true, state: 'running' }));
      const durableMs = await timeRecords(claim);
      const replyMs = await timed(() => other.ask(runId, { type: 'status' }));
      await claim.release();
      return { ...(await countRows(database.pool)), durableMs, replyMs };
    } finally {
      await database.pool.query('delete from collab.run where id = $1', [runId]);
      await Promise.all([own.close(), other.close()]);
    }
  } catch (error) {
    throw databaseFault(error);
  } finally {
    await database.close();
  }
}

async function timeRecords(claim: Claim): Promise<number> {
  const times: number[] = [];
  for (let record = 0; record < records; record += 1) {
    const body: EventBody =
      record === 0
        ? { type: 'run.started', name: 'probe', tools: [], cwd: '' }
        : { type: 'title', title: 'probe' };
    times.push(
      await timed(async () => {
        claim.append([{ body, turn: 0 }]);
        await claim.durable();
      }),
    );
  }
  return times.toSorted((one, two) => one - two)[records / 2] ?? 0;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await work();
  return performance.now() - begunAt;
}

type Pool = Awaited<ReturnType<typeof openDatabase>>['pool'];

async function countRows(
  pool: Pool,
): Promise<Pick<ProbedDatabase, 'server' | 'version' | 'runs' | 'processes'>> {
  const { rows } = await pool.query<{ server: string; runs: number; processes: number }>(
    `select split_part(current_setting('server_version'), ' ', 1) as server,
       (select count(*)::integer from collab.run where id not like 'probe-%') as runs,
       (select count(*)::integer from collab.process where seen_at > clock_timestamp() - interval '2 seconds') as processes`,
  );
  const { server = '', runs = 0, processes = 0 } = rows[0] ?? {};
  return { server, runs, processes: Math.max(0, processes - 2), version: await databaseVersion(pool) };
}

function envelopeOf(runId: string): RunEnvelope {
  const agent = { id: 'lead', role: 'lead', provider: 'collab' } as const;
  return { runId, conversationId: runId, tenantId: 'local', agent };
}
