/** Failures around a run in PostgreSQL: its process, its connections, the database, and a second owner. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import { checkLaws } from '../../../src/events/laws.ts';
import { performRun } from '../../../src/engine/drive/perform-run.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/connect.ts';
import { databaseVersion, migrate } from '../../../src/engine/postgres/migrate.ts';
import { migrations } from '../../../src/engine/postgres/migrations.ts';
import { openPostgresStore, type PostgresStore } from '../../../src/engine/postgres/postgres-store.ts';
import { openEngine } from '../../../src/runs/engine/open-engine.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { buildProgram } from '../../setup/build-program.ts';
import { pointsFrom, somePoints } from '../../setup/points.ts';
import { callLogOf, createKilledReview } from './killed-review.ts';
import {
  callsIn,
  scriptedEnvelope,
  scriptedResult,
  scriptedReview,
  scriptedStart,
  settleScripted,
} from './scripted-review.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-pg-kill-'));
let cluster: PostgresCluster;
let url = '';
let program = '';
let database: Database;
let reader: PostgresStore;

beforeAll(async () => {
  cluster = await startPostgres();
  url = await cluster.createDatabase();
  database = await openDatabase(url);
  await migrate(database.pool);
  reader = await openPostgresStore(url);
  program = await buildProgram(join(import.meta.dirname, 'scripted-review.program.ts'), folder);
});
afterAll(async () => {
  await Promise.all([reader.close(), database.close()]);
  await cluster.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('two processes migrate an empty database at once, and a third finds nothing to do', async () => {
  const empty = await cluster.createDatabase();
  const databases = await Promise.all([openDatabase(empty), openDatabase(empty)]);
  const applied = await Promise.all(databases.map(({ pool }) => migrate(pool)));
  expect(applied.flat()).toEqual(pointsFrom(1, migrations.length));
  expect(await migrate(databases[0].pool)).toEqual([]);
  await Promise.all(databases.map((one) => one.close()));
});

test('while the tables are made, another process sees none or all of them', async () => {
  const empty = await cluster.createDatabase();
  const [maker, watcher] = await Promise.all([openDatabase(empty), openDatabase(empty)]);
  const seen = new Set([await databaseVersion(watcher.pool)]);
  const made = new AbortController();
  const making = migrate(maker.pool).finally(() => made.abort());
  while (!made.signal.aborted) seen.add(await databaseVersion(watcher.pool));
  await making;
  seen.add(await databaseVersion(watcher.pool));
  expect([...seen]).toEqual([0, migrations.length]);
  await Promise.all([maker.close(), watcher.close()]);
});

test('a role that may not make tables finds nothing to do in a whole database', async () => {
  const whole = await cluster.createDatabase();
  const owner = await openDatabase(whole);
  await migrate(owner.pool);
  await owner.pool.query('create role plain login');
  await owner.pool.query('grant usage on schema collab to plain');
  await owner.pool.query('grant select on collab.migration to plain');
  const plain = await openDatabase(whole.replace('collab@', 'plain@'));
  expect(await migrate(plain.pool)).toEqual([]);
  await Promise.all([owner.close(), plain.close()]);
});

test('XB-1 kill -9 at a commit point: another process continues, and no finished call is made twice', async () => {
  const killed = killedReview();
  const { commits } = await killed.review(join(folder, 'whole'), 0);
  expect(commits).toBeGreaterThanOrEqual(22);
  for (const commit of somePoints(pointsFrom(1, commits), 5)) {
    const runFolder = join(folder, `killed-${commit}`);
    expect(await killed.review(runFolder, commit)).toMatchObject({ signal: 'SIGKILL' });
    const before = await killed.soFar(runFolder);
    const { departure } = await killed.review(runFolder, 0);
    await killed.expectWhole(runFolder, departure, before);
  }
}, 240_000);

test('a stopped process loses its run to another one, and writes nothing when it wakes up', async () => {
  const runFolder = join(folder, 'stopped');
  const killed = killedReview();
  const sleeper = spawn(process.execPath, [program, runFolder, `${runFolder}.sleeper`, '6'], {
    env: { ...process.env, COLLAB_TEST_ENGINE: url, COLLAB_TEST_SIGNAL: 'SIGSTOP' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = text(sleeper.stdout);
  const gone = once(sleeper, 'close');
  try {
    await expect.poll(async () => (await recordsOf(runFolder).catch(() => [])).length).toBeGreaterThan(5);
    const { departure } = await killed.review(runFolder, 0);
    expect(departure).toEqual({ kind: 'settled', result: scriptedResult });
    const whole = await recordsOf(runFolder);
    sleeper.kill('SIGCONT');
    await gone;
    expect(JSON.parse(await said)).toMatchObject({ departure: { kind: 'interrupted', reason: 'lock_lost' } });
    expect(await recordsOf(runFolder)).toEqual(whole);
    expect(checkLaws(whole)).toEqual([]);
  } finally {
    sleeper.kill('SIGKILL');
  }
});

test.each([
  [
    'all connections of its process are cut',
    async () => {
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`,
      );
    },
  ],
  [
    'the database crashes and comes back',
    async () => {
      await cluster.stop('immediate');
      await cluster.start();
    },
  ],
])('a run goes on in its process when %s, and each call is made once', async (what, fault) => {
  const store = await openPostgresStore(url);
  const runFolder = join(folder, what.replaceAll(' ', '-'));
  const faults: Promise<void>[] = [];
  const departure = await performRun({
    runFolder,
    envelope: { ...scriptedEnvelope, runId: basename(runFolder) },
    store,
    clock: systemClock,
    signal: new AbortController().signal,
    start: scriptedStart,
    body: scriptedReview(callLogOf(runFolder)),
    settle: settleScripted,
    onEvent({ type }) {
      if (type === 'step.bound' && faults.length === 0) faults.push(fault());
    },
  });
  await Promise.all(faults);
  expect(departure).toEqual({ kind: 'settled', result: scriptedResult });
  const calls = callsIn(callLogOf(runFolder));
  expect(calls.toSorted()).toEqual([...new Set(calls)].toSorted());
  const records = await recordsOf(runFolder);
  expect(records.map(({ seq }) => seq)).toEqual(pointsFrom(1, records.length));
  expect(checkLaws(records)).toEqual([]);
  await store.close();
});

test('of six processes that take a free run at once, one gets it, in each of ten rounds', async () => {
  const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgresStore(url)));
  const runFolder = join(folder, 'raced');
  const envelope = { ...scriptedEnvelope, runId: 'raced' };
  for (let round = 1; round <= 10; round += 1) {
    const racing = stores.map((store) => store.claim({ runFolder, envelope, clock: systemClock }));
    const ends = await Promise.allSettled(racing);
    const won = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect({ round, won: won.length }).toEqual({ round, won: 1 });
    expect(refusals).toMatchObject(Array.from({ length: 5 }, () => ({ code: 'locked' })));
    await won[0]?.release();
  }
  await Promise.all(stores.map((store) => store.close()));
});

test('a barrier without a record on its way asks if the run is still ours, and fires `lost` if not', async () => {
  const store = await openPostgresStore(url);
  const envelope = { ...scriptedEnvelope, runId: 'quiet' };
  const claim = await store.claim({ runFolder: 'quiet', envelope, clock: systemClock });
  await database.pool.query(`update collab.run set generation = generation + 1 where id = 'quiet'`);
  await expect(claim.durable()).rejects.toMatchObject({ code: 'locked' });
  expect(claim.lost?.aborted).toBe(true);
  await claim.release();
  await store.close();
});

test('an owner that leaves right after a request still replies: its asker does not take the run for free', async () => {
  const [own, other] = await Promise.all([openPostgresStore(url), openPostgresStore(url)]);
  const envelope = { ...scriptedEnvelope, runId: 'replied' };
  const claim = await own.claim({ runFolder: 'replied', envelope, clock: systemClock });
  const releases: Promise<void>[] = [];
  claim.onRequest(async () => {
    releases.push(claim.release());
    // Longer than the asker's pause between two looks.
    for (let looks = 0; looks < 500; looks += 1) await database.pool.query('select 1');
    return { ok: true, state: 'running' };
  });
  expect(await other.ask('replied', { type: 'status' })).toEqual({ ok: true, state: 'running' });
  await Promise.all(releases);
  expect(await other.isOwned('replied')).toBe(false);
  await Promise.all([own.close(), other.close()]);
});

test('a missing text stops the run with journal_corrupt', async () => {
  const runFolder = join(folder, 'textless');
  await killedReview().review(runFolder, 0);
  const deleted = await database.pool.query(
    `delete from collab.run_blob where run_id = 'textless'
       and sha in (select body::json ->> 'value_ref' from collab.run_event where run_id = 'textless')`,
  );
  expect(deleted.rowCount).toBeGreaterThan(0);
  const store = await openPostgresStore(url);
  const driving = performRun({
    runFolder,
    envelope: scriptedEnvelope,
    store,
    clock: systemClock,
    signal: new AbortController().signal,
    start: scriptedStart,
    body: scriptedReview(callLogOf(runFolder)),
    settle: settleScripted,
  });
  await expect(driving).rejects.toMatchObject({ code: 'journal_corrupt' });
  await store.close();
});

function killedReview() {
  return createKilledReview({
    program,
    temporaryFolder: folder,
    env: { COLLAB_TEST_ENGINE: url },
    record: recordsOf,
  });
}

/** As a process that does not drive the run reads it. */
function recordsOf(path: string): Promise<readonly CollabEvent[]> {
  return openEngine({ clock: systemClock, store: reader }).records({ runId: basename(path), path });
}
