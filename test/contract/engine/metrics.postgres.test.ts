/** `GET /metrics` of a server on a database: the numbers of all tenants, without their names. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordDraft } from '../../../src/engine/journal/journal.ts';
import { parseMetrics } from '../../../src/observe/metrics/parsed-metrics.test-helper.ts';
import type { DatabaseEngine } from '../../../src/runs/engine/database-engine.ts';
import { serveRuns } from '../../../src/server/served.test-helper.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { report } from '../../fixtures/reports/sample-report.ts';
import { startEngine } from '../../fixtures/engine-on-postgres.ts';
import { queueRows } from './queued-rows.ts';

let engine: DatabaseEngine;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ engine, remove } = await startEngine());
});
afterAll(() => remove());

test('a server on a database counts the runs and the calls of all its tenants, and names no tenant', async () => {
  const server = await serveRuns({ database: engine });
  // Conversations that an earlier server kept in the folder of this one.
  server.conversations.change(server.conversations.place('acme', 'earlier'), (conversation) => conversation);
  await queueRows(engine.store.pool, { tenant: 'local', count: 1 });
  await queueRows(engine.store.pool, { tenant: 'acme', count: 4 });
  await setState('acme-0-2', 'driven');
  await recordCall('acme-0-2');
  await setState('acme-0-3', 'asking');
  await recordCall('acme-0-4');
  await engine.storeResult('acme-0-4', report());
  await setState('acme-0-4', 'done');
  const { text, numbers } = await read();
  expect(numbers['collab_runs']).toEqual({
    'kind=review,state=queued,outcome=': 2,
    'kind=review,state=running,outcome=': 1,
    'kind=review,state=waiting,outcome=': 1,
    [`kind=review,state=ended,outcome=${report().outcome}`]: 1,
  });
  expect(numbers['collab_calls_total']).toEqual({ 'provider=codex,result=ok': 2 });
  expect(text).not.toContain('acme');
  // Read again, nothing is counted twice.
  expect((await read()).numbers['collab_calls_total']).toEqual(numbers['collab_calls_total']);
  expect(server.faults).toEqual([]);

  async function read() {
    const response = await fetch(server.url('/metrics'));
    const body = await response.text();
    return { text: body, numbers: parseMetrics(body) };
  }
});

test('the outcome of a run whose result an older version stored is counted, and a run without one ends with none', async () => {
  const { pool } = engine.store;
  await queueRows(pool, { tenant: 'older', count: 2 });
  await pool.query(
    `insert into collab.run_file (run_id, name, body) values ('older-0-1', 'result.json', $1)`,
    [JSON.stringify({ ...report(), summary: '\n  "outcome": "stopped"' }, null, 2)],
  );
  for (const run of ['older-0-1', 'older-0-2']) await engine.rows.finish(run);
  const counts = await engine.numbers.counts();
  expect(counts.filter(({ state, outcome }) => state === 'done' && outcome === '')).toMatchObject([
    { kind: 'review', runs: 1 },
  ]);
  expect(
    counts.filter(({ state, outcome }) => state === 'done' && outcome === report().outcome),
  ).toMatchObject([{ runs: 2 }]);
  const open = await pool.query(
    `select id from collab.run join collab.task on run_id = id where state = 'done' and ended_at is null`,
  );
  expect(open.rows).toEqual([]);
});

async function setState(runId: string, state: string): Promise<void> {
  await engine.store.pool.query('update collab.task set state = $2 where run_id = $1', [runId, state]);
}

const usage = {
  model: 'gpt-5',
  input: 1000,
  output: 200,
  cache_read: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  cost: 0.5,
  cost_basis: 'profile',
} as const;

const call: readonly RecordDraft[] = [
  { turn: 0, body: { type: 'run.started', name: 'Codex', tools: [], cwd: '/p' } },
  { turn: 1, body: { type: 'step.begun', step: 'a', attempt: 1, input_digest: 'd' } },
  { turn: 1, body: { type: 'step.bound', step: 'a', session_id: 's' } },
  { turn: 1, step: 'a', body: { type: 'turn.started' } },
  { turn: 1, step: 'a', body: { type: 'turn.ended', stop_reason: null, usage } },
  { turn: 1, body: { type: 'step.ended', step: 'a', attempt: 1, value: null } },
];

async function recordCall(runId: string): Promise<void> {
  const agent = { id: 'advisor', role: 'advisor', provider: 'codex' } as const;
  const envelope = { runId, conversationId: runId, tenantId: 'acme', agent };
  const claim = await engine.store.claim({ runFolder: runId, envelope, clock: systemClock });
  claim.append(call);
  await claim.durable();
  await claim.release();
}
