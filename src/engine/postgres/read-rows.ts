/** Reads the records of a run from its rows. */
import { gunzipSync } from 'node:zlib';
import type { Pool } from 'pg';
import { CollabError } from '../../errors/collab-error.ts';
import { sha256 } from '../../text/digest.ts';
import type { Clock } from '../../system/clock.ts';
import { recall, type RunMemory } from '../drive/run-state.ts';
import type { RecordEnds } from '../journal/first-and-last.ts';
import type { JournalLine } from '../journal/journal-line.ts';
import { parseLines } from '../journal/journal-reader.ts';
import type { RecordReader } from '../store/engine-store.ts';
import { repeatWhileOut } from './connect.ts';

type Queries = Pick<Pool, 'query'>;

/** Records that a reader gets at once. */
const partRows = 1000;
/** Milliseconds between two looks for new records. */
const lookMs = 100;

/** Returns the records after the number `after`, in order. */
export async function readRows(
  pool: Queries,
  runId: string,
  { after = 0, most = null }: { readonly after?: number; readonly most?: number | null } = {},
): Promise<readonly JournalLine[]> {
  const { rows } = await pool.query<{ body: string }>(
    'select body from collab.run_event where run_id = $1 and seq > $2 order by seq limit $3',
    [runId, after, most],
  );
  return parseRows(runId, rows, after);
}

/** @throws CollabError `run_not_found` */
export async function recallRows(pool: Queries, runId: string): Promise<RunMemory> {
  const lines = await readRows(pool, runId);
  if (lines.length === 0) throw noRun(runId);
  return recall(lines.map(({ event }) => event));
}

export async function readEnds(pool: Queries, runId: string): Promise<RecordEnds | null> {
  const { rows } = await pool.query<{ seq: number; body: string }>(
    `(select seq, body from collab.run_event where run_id = $1 order by seq limit 1)
     union all (select seq, body from collab.run_event where run_id = $1 order by seq desc limit 1)`,
    [runId],
  );
  const [first, last] = rows.map((row) => parseRows(runId, [row], row.seq - 1)[0]?.event);
  return first === undefined || last === undefined ? null : { first, last };
}

export function openRowReader(pool: Queries, runId: string, clock: Clock): RecordReader {
  let after = 0;
  let wake = new AbortController();
  return {
    async next() {
      const lines = await repeatWhileOut(() => readRows(pool, runId, { after, most: partRows }));
      after += lines.length;
      return lines;
    },
    async change(signal) {
      const stop = (): void => wake.abort();
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      await clock.sleep(lookMs, wake.signal).catch(() => undefined);
      signal.removeEventListener('abort', stop);
      wake = new AbortController();
    },
    wake: () => wake.abort(),
    close: () => Promise.resolve(),
  };
}

/** Returns null if the run has no such text. @throws CollabError `journal_corrupt` */
export async function readStoredBlob(pool: Queries, runId: string, sha: string): Promise<string | null> {
  const { rows } = await pool.query<{ body: Buffer }>(
    'select body from collab.run_blob where run_id = $1 and sha = $2',
    [runId, sha],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const text = gunzipSync(row.body).toString('utf8');
  if (sha256(text) === sha) return text;
  throw corruptBlob(runId, sha, 'does not match its name');
}

export function corruptBlob(runId: string, sha: string, what: string): CollabError {
  return new CollabError('journal_corrupt', `A stored value of the run ${runId} ${what}: ${sha}`, {
    details: { run_id: runId, sha },
  });
}

export function noRun(runId: string): CollabError {
  return new CollabError('run_not_found', `The database holds no run ${runId}`, {
    details: { run_id: runId },
  });
}

function parseRows(
  runId: string,
  rows: readonly { readonly body: string }[],
  linesBefore: number,
): readonly JournalLine[] {
  const lines = rows.map(({ body }) => `${body}\n`).join('');
  return parseLines(`run ${runId}`, Buffer.from(lines), linesBefore);
}
