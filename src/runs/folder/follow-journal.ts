/** Reads a journal while another process writes it. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { watchDriver } from '../../engine/drive/owner-watch.ts';
import { watchFolder } from '../../system/folder-watch.ts';
import { openGrowingFile } from '../../system/growing-file.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { parseLines } from '../../engine/journal/journal-reader.ts';
import { resultState } from './result-file.ts';
import { standing } from './run-status.ts';

export interface FollowJournalOptions {
  readonly runFolder: string;
  readonly clock: Clock;
  /** The seq after which to start; 0 yields the whole journal. */
  readonly after?: number;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

/**
 * Yields each record once, in order, as it is written. Ends after `run.ended`, on the signal, and if no such record
 * will be written: when the run has ended without one (ADR 5), or its process has left it interrupted.
 *
 * Yields all records that exist as one batch, a long journal in several; an empty batch means that there are no more
 * yet.
 */
export async function* followJournalInBatches(
  options: FollowJournalOptions,
): AsyncGenerator<readonly CollabEvent[]> {
  const { runFolder, clock, after = 0, signal } = options;
  const path = journalFile(runFolder);
  const file = openGrowingFile(path);
  const watch = watchFolder(runFolder, clock);
  const driver = watchDriver({ runFolder, clock }, watch.tell);
  let lines = 0;
  let wasQuiet = false;
  let isLive = false;
  let looksAtInterrupted = 0;

  async function more(): Promise<readonly CollabEvent[]> {
    const events = parseLines(path, await file.nextLines(), lines);
    lines += events.length;
    isLive ||= wasQuiet && events.length > 0;
    return events;
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
      const events = isOver ? await more() : read;
      if (isOver && events.length === 0) return;
      yield events.filter(({ seq }) => seq > after);
      if (events.at(-1)?.type === 'run.ended') return;
      if (events.length === 0) await watch.change(signal);
    }
  } finally {
    watch.close();
    driver.close();
    await file.close();
  }
}
