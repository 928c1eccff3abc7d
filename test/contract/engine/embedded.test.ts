import { readJournal } from '../../../src/runs/journal-reader.ts';
import { journalFile } from '../../../src/runs/journal.ts';
import { driveRun } from '../../../src/runs/embedded-engine.ts';
import { answerRun } from '../../../src/runs/outside.ts';
import { createManualClock } from '../../../src/process/manual-clock.test-helper.ts';
import { testEngine } from './engine-contract.ts';

testEngine('embedded', {
  drive: driveRun,
  record: (runFolder) => readJournal(journalFile(runFolder)).events,
  answer: (runFolder, name, value) =>
    answerRun({ runFolder, clock: createManualClock(), name, value, by: 'user' }),
});
