import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { journalEnds } from '../journal/first-and-last.ts';
import { journalFile, type RunEnvelope } from '../journal/journal.ts';
import { recordsSoFar } from '../journal/recorded-events.ts';
import { failRun } from './other-process.ts';

const envelope: RunEnvelope = {
  runId: 'r1',
  conversationId: 'r1',
  tenantId: 'local',
  agent: { id: 'advisor', role: 'advisor', provider: 'codex' },
};

test('a run that no process could start ends with its error, once', async () => {
  const runFolder = join(scratchFolder(), 'r1');
  const run = { runFolder, clock: createManualClock(), envelope, kind: 'internal' } as const;
  const message = 'x'.repeat(100_000);
  expect(await failRun({ ...run, message })).toBe(true);
  expect(await failRun({ ...run, message: 'again' })).toBe(true);
  const records = recordsSoFar(runFolder);
  expect(records).toMatchObject([
    { type: 'run.started', name: 'codex' },
    { type: 'error', kind: 'internal', message, retryable: false },
    { type: 'run.ended', status: 'error', reasons: [], errors: [message] },
  ]);
  // The last line is longer than what is read at first.
  expect(journalEnds(runFolder)).toEqual({ first: records[0], last: records[2] });
});

test('a damaged journal is an error with its line, and not a run without records', async () => {
  const runFolder = join(scratchFolder(), 'r1');
  const run = { runFolder, clock: createManualClock(), envelope, kind: 'internal' } as const;
  await failRun({ ...run, message: 'no' });
  appendFileSync(journalFile(runFolder), 'damaged\n{}\n');
  expect(() => recordsSoFar(runFolder)).toThrow(
    expect.objectContaining({
      code: 'journal_corrupt',
      message: expect.stringMatching(/journal\.jsonl:4 ./),
    }),
  );
});
