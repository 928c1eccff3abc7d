import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../system/clock.ts';
import { journalFile } from '../journal/journal.ts';
import { collectRecords } from '../journal/recorded-events.ts';
import { runEnvelope } from '../journal/open-journal.test-helper.ts';
import type { PerformOptions } from './perform-options.ts';
import { performRun } from './perform-run.ts';
import { readOutcome } from './other-process.ts';
import { findOwner } from '../lock/lock.ts';

test('the result of a run is written before the next owner or any waiter gets it', async () => {
  const runFolder = newFolder();
  const seen: unknown[] = [];
  await drive(runFolder, {
    onDeparture: async (departure) => {
      const owner = await findOwner(runFolder);
      seen.push(departure, readOutcome(runFolder)?.status, owner?.pid);
    },
  });
  expect(seen).toEqual([{ kind: 'settled', result: 'done' }, 'success', process.pid]);
  expect(await findOwner(runFolder)).toBeNull();
});

test('a listener finds each record in the shared list, and a later drive reads the journal once', async () => {
  const runFolder = newFolder();
  const recorded = collectRecords(runFolder);
  const last: unknown[] = [];
  await drive(runFolder, { recorded, onEvent: () => last.push(recorded.all().at(-1)?.type) });
  expect(last).toEqual(['run.started', 'run.ended']);
  const later = collectRecords(runFolder);
  await drive(runFolder, { recorded: later, onDeparture: async () => rmSync(journalFile(runFolder)) });
  expect(later.any()).toBe(false);
  expect(later.all().map(({ type }) => type)).toEqual(['run.started', 'run.ended']);
});

function newFolder(): string {
  const runFolder = mkdtempSync(join(tmpdir(), 'collab-engine-'));
  onTestFinished(() => rmSync(runFolder, { recursive: true, force: true }));
  return runFolder;
}

function drive(
  runFolder: string,
  hooks: Pick<PerformOptions<string>, 'onDeparture' | 'recorded' | 'onEvent'>,
): Promise<unknown> {
  return performRun<string>({
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
    ...hooks,
  });
}
