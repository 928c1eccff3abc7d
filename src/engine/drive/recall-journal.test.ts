import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import { journalFile } from '../journal/journal.ts';
import { recallJournal } from './recall-journal.ts';

test('a folder without a journal holds no run; one whose first record is not written yet does', async () => {
  const runFolder = scratchFolder();
  await expect(recallJournal(runFolder)).rejects.toMatchObject({
    code: 'run_not_found',
    details: { file: journalFile(runFolder) },
  });
  writeFileSync(journalFile(runFolder), '');
  expect(await recallJournal(runFolder)).toMatchObject({ started: false, ended: null, turn: 0 });
});

test('a journal that is longer than one part is recalled to its end, and a damaged line has its number', async () => {
  const runFolder = scratchFolder();
  const records = journalRecords([
    { type: 'run.started', name: 'collab', tools: [], cwd: '/' },
    ...Array.from({ length: 20 }, () => ({ type: 'title', title: 'x'.repeat(4000), turn: 1 }) as const),
    { type: 'step.begun', step: 'ask', attempt: 2, input_digest: 'd', turn: 2 },
  ]);
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(journalFile(runFolder), lines.join(''));
  const memory = await recallJournal(runFolder);
  expect([memory.started, memory.turn, memory.steps.get('ask')?.attempts]).toEqual([true, 2, 2]);
  writeFileSync(journalFile(runFolder), [...lines, 'damaged\n'].join(''));
  await expect(recallJournal(runFolder)).rejects.toMatchObject({
    code: 'journal_corrupt',
    details: { line: lines.length + 1 },
  });
});
