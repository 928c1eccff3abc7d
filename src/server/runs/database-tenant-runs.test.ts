import { expect, test } from 'vitest';
import type { OwnedRun, RunRows } from '../../engine/postgres/run-rows.ts';
import { databaseTenantRuns } from './database-tenant-runs.ts';

test('the runs are read from the rows of an engine that was opened again', async () => {
  const engine = { rows: rowsOf('before') };
  const runs = databaseTenantRuns(engine);
  expect(await runs.all('local', [])).toMatchObject([{ runId: 'before' }]);
  engine.rows = rowsOf('after');
  expect(await runs.all('local', [])).toMatchObject([{ runId: 'after' }]);
});

test('many readers of a conversation share a query that is sent after they ask', async () => {
  const asked: (string | undefined)[] = [];
  const answers: ((runId: string) => void)[] = [];
  const ownedBy: RunRows['ownedBy'] = async (_tenant, conversation) => {
    asked.push(conversation);
    return [runOf(await new Promise<string>((resolve) => answers.push(resolve)))];
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  const runs = databaseTenantRuns({ rows: { ownedBy } as unknown as RunRows });
  const newest = async (id: string) =>
    (await runs.of({ tenant: 'local', id, home: '', folder: '' }))[0]?.runId;
  const first = newest('first');
  const later = Array.from({ length: 50 }, () => newest('first'));
  const other = newest('other');
  expect(asked).toEqual(['first', 'other']);
  answers[0]?.('one');
  expect(await first).toBe('one');
  await expect.poll(() => asked).toEqual(['first', 'other', 'first']);
  // Asked while the second query is on its way: a third one.
  const last = newest('first');
  answers[2]?.('two');
  expect(new Set(await Promise.all(later))).toEqual(new Set(['two']));
  await expect.poll(() => asked).toEqual(['first', 'other', 'first', 'first']);
  answers[3]?.('three');
  answers[1]?.('of another');
  expect(await Promise.all([last, other])).toEqual(['three', 'of another']);
});

test('a failed query fails those that share it, and the next one is sent', async () => {
  const fault = new Error('out of reach');
  let isFailing = true;
  const ownedBy: RunRows['ownedBy'] = () =>
    isFailing ? Promise.reject(fault) : Promise.resolve([runOf('back')]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  const runs = databaseTenantRuns({ rows: { ownedBy } as unknown as RunRows });
  const asked = Array.from({ length: 3 }, async () => runs.all('local', []));
  const settled = await Promise.allSettled(asked);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  isFailing = false;
  expect(await runs.all('local', [])).toMatchObject([{ runId: 'back' }]);
});

function runOf(runId: string): OwnedRun {
  return { runId, conversation: 'first', repository: null, changedMs: 0 };
}

function rowsOf(runId: string): RunRows {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  return { ownedBy: () => Promise.resolve([runOf(runId)]) } as unknown as RunRows;
}
