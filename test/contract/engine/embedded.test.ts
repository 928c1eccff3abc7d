import { readJournal } from '../../../src/engine/journal/journal-reader.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { performRun } from '../../../src/engine/drive/perform-run.ts';
import { answerRun } from '../../../src/engine/drive/other-process.ts';
import { createManualClock } from '../../../src/system/manual-clock.test-helper.ts';
import { testEngine } from './engine-contract.ts';

testEngine('embedded', {
  drive: performRun,
  record: (runFolder) => readJournal(journalFile(runFolder)).events,
  answer: (runFolder, name, value) =>
    answerRun({ runFolder, clock: createManualClock(), name, value, by: 'user' }),
});
