/** The order of the queue: tenants by their share, then priority, then time; and the limit of a tenant's queue. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../../src/engine/postgres/migrate.ts';
import { migrations } from '../../../src/engine/postgres/migrations.ts';
import { openDatabase } from '../../../src/engine/postgres/connect.ts';
import type { PostgresStore } from '../../../src/engine/postgres/postgres-store.ts';
import { takeSql } from '../../../src/engine/postgres/row-dispatcher.ts';
import { createRunRows, type NewRunRow } from '../../../src/engine/postgres/run-rows.ts';
import { setTenantLimits, tenantQueues } from '../../../src/engine/postgres/tenant-rows.ts';
import { anyRun, createTaker, queueRows, tenantsOf } from './queued-rows.ts';
import { racers, startRacingStores, type RacingStores } from './racing-stores.ts';

let racing: RacingStores;
let store: PostgresStore;

beforeAll(async () => {
  racing = await startRacingStores();
  ({ store } = racing);
});
afterAll(() => racing.close());
beforeEach(() => store.pool.query('truncate collab.run, collab.tenant cascade'));

test('one run of a tenant waits for one take behind 10,000 older runs of another tenant', async () => {
  await queueRows(store.pool, { tenant: 'flood', count: 10_000, waited: 3600 });
  const taker = createTaker(store);
  expect(tenantsOf(await taker.takeAll(3))).toEqual(['flood', 'flood', 'flood']);
  await queueRows(store.pool, { tenant: 'small', count: 1, waited: 0, priority: 'batch' });
  expect(await taker.take()).toBe('small-2-1');
  expect(await taker.take()).toBe('flood-0-4');
});

test('drives are shared by the shares of the tenants, and a tenant that waits alone has all', async () => {
  await setTenantLimits(store.pool, 'large', { share: 2 });
  await queueRows(store.pool, { tenant: 'large', count: 20 });
  await queueRows(store.pool, { tenant: 'small', count: 3 });
  const taker = createTaker(store);
  const shared = tenantsOf(await taker.takeAll(9));
  expect(shared.filter((tenant) => tenant === 'small')).toHaveLength(3);
  expect(tenantsOf(await taker.takeAll(3))).toEqual(['large', 'large', 'large']);
});

test('in a tenant a person waits less than CI, and CI less than a batch, whichever came first', async () => {
  for (const [priority, waited] of [
    ['batch', 90],
    ['ci', 60],
    ['person', 30],
  ] as const) {
    await queueRows(store.pool, { tenant: 'one', count: 2, priority, waited });
  }
  const order = ['one-0-1', 'one-0-2', 'one-1-1', 'one-1-2', 'one-2-1', 'one-2-2'];
  expect(await createTaker(store).takeAll(7)).toEqual([...order, null]);
});

test('of tenants with as many drives, the one whose next run has the first priority goes first', async () => {
  await queueRows(store.pool, { tenant: 'a', count: 1, priority: 'batch', waited: 90 });
  await queueRows(store.pool, { tenant: 'b', count: 1, priority: 'ci', waited: 60 });
  await queueRows(store.pool, { tenant: 'c', count: 2, priority: 'person', waited: 30 });
  expect(tenantsOf(await createTaker(store).takeAll(4))).toEqual(['c', 'b', 'a', 'c']);
});

test('a process takes only what its providers can drive, and others the rest', async () => {
  await queueRows(store.pool, { tenant: 'a', count: 2, providers: ['anthropic'], waited: 90 });
  await queueRows(store.pool, { tenant: 'b', count: 1, providers: ['codex'], waited: 30 });
  const taker = createTaker(store);
  expect(tenantsOf(await taker.takeAll(2, { providers: ['codex', 'openai'] }))).toEqual(['b', 'none']);
  expect(tenantsOf(await taker.takeAll(2))).toEqual(['a', 'a']);
});

test('six processes that take at once take each run once, and give no tenant more than one run each beyond its share', async () => {
  const tenants = ['a', 'b', 'c'];
  for (const tenant of tenants) await queueRows(store.pool, { tenant, count: 40 });
  const takers = racing.stores.map(createTaker);
  const drives = new Map(tenants.map((tenant) => [tenant, 0]));
  const all: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    const taken = await Promise.all(takers.map((taker) => taker.take()));
    all.push(...taken.map(String));
    for (const tenant of tenantsOf(taken)) drives.set(tenant, (drives.get(tenant) ?? 0) + 1);
    const counts = [...drives.values()];
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(racers);
  }
  expect(all.length).toBe(120);
  expect(new Set(all).size).toBe(120);
  expect(await Promise.all(takers.map((taker) => taker.take()))).toEqual(takers.map(() => null));
});

test('a take reads the index once a tenant, not once a run, with 100,000 queued runs', async () => {
  await queueRows(store.pool, { tenant: 'flood', count: 99_000 });
  for (let tenant = 1; tenant <= 20; tenant += 1)
    await queueRows(store.pool, { tenant: `t${tenant}`, count: 50, waited: tenant });
  await store.pool.query('analyze collab.task');
  const { kinds, protocol } = anyRun;
  for (const providers of [null, ['codex'], ['anthropic']]) {
    const { rows } = await store.pool.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      `explain (analyze, format json) ${takeSql}`,
      [store.process, kinds, providers, protocol, []],
    );
    const plans = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
    expect(
      plans.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'task'),
    ).toEqual([]);
    expect(Math.max(...plans.map(rowsOf))).toBeLessThan(500);
  }
});

test('a run whose drives fail is counted by itself, not with the other runs of its tenant', async () => {
  await queueRows(store.pool, { tenant: 'one', count: 2 });
  const { dispatcher } = createTaker(store);
  const fault = { kind: 'fault', message: 'broken', afterMs: 0 } as const;
  for (const lost of [0, 1, 2, 3]) {
    expect(await dispatcher.take(anyRun)).toMatchObject({ runId: 'one-0-1', lost });
    await dispatcher.leave('one-0-1', fault);
  }
  const other = { ...anyRun, driving: ['one-0-1'] };
  expect(await dispatcher.take(other)).toEqual({ runId: 'one-0-2', lost: 0, fault: null });
});

test('a full queue refuses the next run of its tenant, says when to come back, and lets a repeated start pass', async () => {
  await setTenantLimits(store.pool, 'acme', { mostQueued: 4 });
  const rows = createRunRows(store.pool);
  await queueRows(store.pool, { tenant: 'acme', count: 13 });
  // Nine were taken, the first one 90 seconds ago: one in 10 seconds.
  await store.pool.query(`
    update collab.task set state = 'done', taken_at = clock_timestamp() - make_interval(secs => 10 * (10 - number))
    from (select run_id, split_part(run_id, '-', 3)::integer as number from collab.task) numbered
    where numbered.run_id = task.run_id and number <= 9`);
  await expect(rows.create(newRun('acme', 'late'))).rejects.toMatchObject({
    code: 'queue_full',
    message: 'The tenant acme has 4 queued runs, and may have 4',
    details: { tenant: 'acme', queued: 4, retry_after_seconds: 11 },
  });
  await rows.create(newRun('other', 'free'));
  await createTaker(store).take();
  await rows.create(newRun('acme', 'late'));
  await rows.create(newRun('acme', 'late'));
  expect(await tenantQueues(store.pool)).toMatchObject([
    { tenant: 'acme', share: 1, mostQueued: 4, queued: 4, driven: 1 },
    { tenant: 'other', share: 1, mostQueued: 1000, queued: 1, driven: 0 },
  ]);
});

test('a queue from which nothing is taken promises no time', async () => {
  await setTenantLimits(store.pool, 'acme', { mostQueued: 0 });
  await expect(createRunRows(store.pool).create(newRun('acme', 'late'))).rejects.toMatchObject({
    code: 'queue_full',
    hint: 'Check the workers: they took no run of it in the last 15 minutes.',
    details: { retry_after_seconds: 60 },
  });
});

test('runs that were queued by an older version keep their tenant and their place', async () => {
  const database = await openDatabase(await racing.cluster.createDatabase());
  const { pool } = database;
  await pool.query('create schema collab');
  await pool.query(
    'create table collab.migration (number integer primary key, applied_at timestamptz default now())',
  );
  for (const [index, sql] of migrations.slice(0, 3).entries()) {
    await pool.query(sql);
    await pool.query('insert into collab.migration (number) values ($1)', [index + 1]);
  }
  await pool.query(`insert into collab.run (id, tenant, conversation) values ('old', 'acme', 'c')`);
  await pool.query(
    `insert into collab.task (run_id, kind, providers, protocol) values ('old', 'review', '{codex}', 1)`,
  );
  expect((await migrate(pool))[0]).toBe(4);
  const { rows } = await pool.query('select run_id, tenant, priority, taken_at from collab.task');
  expect(rows).toEqual([{ run_id: 'old', tenant: 'acme', priority: 0, taken_at: null }]);
  await database.close();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function rowsOf(node: Plan): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

function newRun(tenant: string, runId: string): NewRunRow {
  const place = { tenant, conversation: runId, repository: null, token: null };
  return {
    runId,
    ...place,
    kind: 'review',
    priority: 'ci',
    providers: [],
    protocol: 1,
    input: '{}',
    tree: null,
    listed: '{}',
  };
}
