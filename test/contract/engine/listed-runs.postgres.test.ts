/** The list of the runs of a database, of which some cannot be read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseEngine } from '../../../src/runs/engine/database-engine.ts';
import type { RunFolder } from '../../../src/runs/folder/run-folder.ts';
import { startEngine } from '../../fixtures/engine-on-postgres.ts';
import { report } from '../../fixtures/reports/sample-report.ts';
import { queueRows, submitReview } from './queued-rows.ts';

let engine: DatabaseEngine;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ engine, remove } = await startEngine());
});
afterAll(() => remove());

test('a run whose result cannot be read is listed as such, and the records of the others are not read', async () => {
  const { pool } = engine.store;
  await queueRows(pool, { tenant: 'local', count: 3 });
  await pool.query(`update collab.task set state = 'driven' where run_id = 'local-0-2'`);
  await pool.query(
    `insert into collab.run_event (run_id, seq, type, body) values ('local-0-2', 1, 'run.started', 'no record')`,
  );
  await engine.rows.putFile('local-0-3', 'result.json', '{}', { listed: '{}', outcome: '' });
  const states = (await engine.describeAll('')).map(({ run, state }) => [run, state]);
  expect(Object.fromEntries(states)).toEqual({
    'local-0-1': 'queued',
    'local-0-2': 'running',
    'local-0-3': 'unreadable',
  });
});

test('a run is listed as it is described, from its row alone: its input and its result are not read', async () => {
  const { pool } = engine.store;
  const run = await submitReview(engine);
  const { rows } = await pool.query<{ input: string }>('select input from collab.run where id = $1', [
    run.runId,
  ]);
  const queued = await engine.describe(run);
  expect(queued).toMatchObject({ kind: 'review', state: 'queued', outcome: null });
  await setInput('not read');
  expect(await listed()).toEqual(queued);
  await pool.query(`update collab.task set state = 'driven' where run_id = $1`, [run.runId]);
  expect(await listed()).toEqual({ ...queued, state: 'running' });

  await setInput(rows[0]?.input ?? '');
  await engine.storeResult(run.runId, report());
  expect(await listed()).toEqual(await engine.describe(run));
  await engine.rows.finish(run.runId);
  const ended = await engine.describe(run);
  expect(ended).toMatchObject({ state: 'ended', outcome: report().outcome });
  await setInput('not read');
  await pool.query('delete from collab.run_file where run_id = $1', [run.runId]);
  expect(await listed()).toEqual(ended);

  function setInput(text: string) {
    return pool.query('update collab.run set input = $2 where id = $1', [run.runId, text]);
  }
  function listed() {
    return listedAs(run);
  }
});

test('a run is listed as it is described when an older version queued it, stored its result, or both', async () => {
  const { pool } = engine.store;
  const [queuedByOlder, endedByOlder, olderAlone] = [
    await submitReview(engine),
    await submitReview(engine),
    await submitReview(engine),
  ];
  for (const { runId } of [queuedByOlder, olderAlone]) {
    await pool.query('update collab.run set listed = null where id = $1', [runId]);
  }
  expect(await listedAs(queuedByOlder)).toEqual(await engine.describe(queuedByOlder));
  await engine.storeResult(queuedByOlder.runId, report());
  for (const { runId } of [endedByOlder, olderAlone]) {
    await pool.query(`insert into collab.run_file (run_id, name, body) values ($1, 'result.json', $2)`, [
      runId,
      JSON.stringify(report()),
    ]);
  }
  for (const run of [queuedByOlder, endedByOlder, olderAlone]) {
    await engine.rows.finish(run.runId);
    const ended = await engine.describe(run);
    expect(ended).toMatchObject({ state: 'ended', outcome: report().outcome });
    expect(await listedAs(run)).toEqual(ended);
  }
});

test('any title is stored and listed; the runs of other tenants and removed ones are not listed', async () => {
  const title = 'NUL \0, half a character \ud800, "outcome":"clean"';
  const run = await submitReview(engine, { description: title });
  expect(await listedAs(run)).toMatchObject({ state: 'queued', subject: title });
  const owner = { tenant: 'acme', conversation: 'c', token: null };
  expect(await listedAs(await submitReview(engine, { owner }))).toBeUndefined();
  await engine.store.pool.query('delete from collab.run where id = $1', [run.runId]);
  expect(await listedAs(run)).toBeUndefined();
});

async function listedAs({ runId }: RunFolder) {
  return (await engine.describeAll('')).find((described) => described.run === runId);
}
