import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../system/clock.ts';
import { runEnvelope } from '../journal/open-journal.test-helper.ts';
import { driveRun } from './perform-run.ts';
import { readOutcome } from './other-process.ts';
import { findOwner } from '../lock/lock.ts';

test('what a run leaves is written before the next owner, or whoever waits, is let in', async () => {
  const runFolder = mkdtempSync(join(tmpdir(), 'collab-engine-'));
  onTestFinished(() => rmSync(runFolder, { recursive: true, force: true }));
  const seen: unknown[] = [];
  await driveRun<string>({
    runFolder,
    envelope: runEnvelope(),
    clock: systemClock,
    signal: new AbortController().signal,
    start: { type: 'run.started', name: 'Codex', tools: [], cwd: runFolder },
    body: () => Promise.resolve('done'),
    settle: (result) => ({
      type: 'run.ended',
      status: 'success',
      outcome: 'clean',
      reasons: [],
      result,
      errors: [],
      duration_ms: 0,
      turns: 0,
    }),
    onDeparture: async (departure) => {
      const owner = await findOwner(runFolder);
      seen.push(departure, readOutcome(runFolder)?.status, owner?.pid);
    },
  });
  expect(seen).toEqual([{ kind: 'settled', result: 'done' }, 'success', process.pid]);
  expect(await findOwner(runFolder)).toBeNull();
});
