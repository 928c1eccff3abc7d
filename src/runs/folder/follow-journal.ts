/** Reads the records of a run while another process writes them. */
import { watchDriver } from '../../engine/drive/owner-watch.ts';
import type { JournalLine } from '../../engine/journal/journal-line.ts';
import { embeddedStore } from '../../engine/store/embedded-store.ts';
import type { EngineStore } from '../../engine/store/engine-store.ts';
import { resultState } from './result-file.ts';
import { standing } from './run-status.ts';
import type { DriveFolderOptions } from '../drive-options.ts';

export interface FollowJournalOptions extends Pick<DriveFolderOptions, 'runFolder' | 'clock' | 'signal'> {
  /** The number of the last record that the reader has; default: 0, for none. */
  readonly after?: number;
  /** Default: the folder itself. */
  readonly store?: EngineStore;
}

/**
 * Yields each record once, in order, as it is written. Ends after `run.ended`, on the signal, and if no such record
 * will be written: when the run has ended without one (ADR 5), or its process has left it interrupted.
 *
 * Yields all records that exist as one batch, a long journal in several; an empty batch means that there are no more
 * yet.
 */
export async function* followJournalInBatches({
  runFolder,
  clock,
  signal,
  after = 0,
  store = embeddedStore,
}: FollowJournalOptions): AsyncGenerator<readonly JournalLine[]> {
  const records = store.read(runFolder, clock);
  const driver = watchDriver({ runFolder, clock, store }, () => records.wake());
  let wasQuiet = false;
  let isLive = false;
  let looksAtInterrupted = 0;

  async function more(): Promise<readonly JournalLine[]> {
    const lines = await records.next();
    isLive ||= wasQuiet && lines.length > 0;
    return lines;
  }

  async function isLeft(): Promise<boolean> {
    wasQuiet = true;
    const isDriven = await driver.isDriven();
    isLive ||= isDriven;
    const told = isDriven ? null : resultState(runFolder);
    if (told === 'ended') return (await standing(runFolder, store)) === 'ended';
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
      const unseen =
        (lines[0]?.event.seq ?? 0) > after ? lines : lines.filter(({ event }) => event.seq > after);
      // An empty batch would say that there are no more yet.
      if (lines.length === 0 || unseen.length > 0) yield unseen;
      if (lines.at(-1)?.event.type === 'run.ended') return;
      if (lines.length === 0) await records.change(signal);
    }
  } finally {
    driver.close();
    await records.close();
  }
}
