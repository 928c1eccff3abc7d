/** Reads a run's memory from its journal in parts, so that a server answers others while it reads a long one. */
import { lookAt } from '../../system/files/fault.ts';
import { openGrowingFile } from '../../system/growing-file.ts';
import { journalFile } from '../journal/journal.ts';
import { noJournal, parseLines } from '../journal/journal-reader.ts';
import { createMemory, rememberStep, type RunMemory } from './run-state.ts';

/** @throws CollabError `journal_corrupt`, `journal_version`, or `run_not_found` if the folder holds no run */
export async function recallJournal(runFolder: string): Promise<RunMemory> {
  const path = journalFile(runFolder);
  const file = openGrowingFile(path);
  const memory = createMemory();
  try {
    for (let linesBefore = 0; ;) {
      const lines = parseLines(path, await file.nextLines(), linesBefore);
      if (linesBefore === 0 && lines.length === 0 && lookAt(path) === null) throw noJournal(path);
      if (lines.length === 0) return memory;
      linesBefore += lines.length;
      for (const { event } of lines) rememberStep(memory, event);
    }
  } finally {
    await file.close();
  }
}
