/** Reads a journal while another process writes it. */
import { watchDriver } from '../../engine/drive/owner-watch.ts';
import { watchFolder } from '../../system/folder-watch.ts';
import { openGrowingFile } from '../../system/growing-file.ts';
import type { JournalLine } from '../../engine/journal/journal-line.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { parseLines } from '../../engine/journal/journal-reader.ts';
import { resultState } from './result-file.ts';
import { standing } from './run-status.ts';
import type { DriveFolderOptions } from '../drive-options.ts';

export type FollowJournalOptions = Pick<DriveFolderOptions, 'runFolder' | 'clock' | 'signal'>;

/**
 * Yields each record once, in order, as it is written. Ends after `run.ended`, on the signal, and if no such record
 * will be written: when the run has ended without one (ADR 5), or its process has left it interrupted.
 *
 * Yields all records that exist as one batch, a long journal in several; an empty batch means that there are no more
 * yet.
 */
export async function* followJournalInBatches(
  options: FollowJournalOptions,
): AsyncGenerator<readonly JournalLine[]> {
  const { runFolder, clock, signal } = options;
  const path = journalFile(runFolder);
  const file = openGrowingFile(path);
  const watch = watchFolder(runFolder, clock);
  const driver = watchDriver({ runFolder, clock }, watch.tell);
  let linesBefore = 0;
  let wasQuiet = false;
  let isLive = false;
  let looksAtInterrupted = 0;

  async function more(): Promise<readonly JournalLine[]> {
    const lines = parseLines(path, await file.nextLines(), linesBefore);
    linesBefore += lines.length;
    isLive ||= wasQuiet && lines.length > 0;
    return lines;
  }

  async function isLeft(): Promise<boolean> {
    wasQuiet = true;
    const isDriven = await driver.isDriven();
    isLive ||= isDriven;
    const told = isDriven ? null : resultState(runFolder);
    if (told === 'ended') return (await standing(runFolder)) === 'ended';
    // A reader that starts on an interrupted run waits for the next drive. Looks twice, because the run may only be
    // changing processes.
    const isInterrupted = isLive && (told === 'running' || told === 'interrupted');
    looksAtInterrupted = isInterrupted ? looksAtInterrupted + 1 : 0;
    return looksAtInterrupted > 1;
  }

  try {
    while (!signal.aborted) {
      const read = await more();
      const isOver = read.length === 0 && (await isLeft());
      // Records written after the last read and before the process left.
      const lines = isOver ? await more() : read;
      if (isOver && lines.length === 0) return;
      yield lines;
      if (lines.at(-1)?.event.type === 'run.ended') return;
      if (lines.length === 0) await watch.change(signal);
    }
  } finally {
    watch.close();
    driver.close();
    await file.close();
  }
}
