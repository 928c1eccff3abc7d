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

function rowsOf(runId: string): RunRows {
  const run: OwnedRun = { runId, conversation: 'first', repository: null, changedMs: 0 };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
  return { ownedBy: () => Promise.resolve([run]) } as unknown as RunRows;
}
