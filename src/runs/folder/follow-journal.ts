/** Reads a journal that somebody else is writing. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { watchDriver } from '../../engine/drive/owner-watch.ts';
import { watchFolder } from '../../system/folder-watch.ts';
import { openGrowingFile } from '../../system/growing-file.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { parseLines } from '../../engine/journal/journal-reader.ts';
import { resultState } from './result-file.ts';
import { standing } from './run-status.ts';

export interface FollowOptions {
  readonly runFolder: string;
  readonly clock: Clock;
  /** The seq after which to begin; 0 gives the whole journal. */
  readonly after?: number;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

/**
 * Yields each record once, in order, as it is written. It ends after `run.ended`, when the signal says so, and where no record
 * will tell it: when the run stands ended without one (ADR 5), or whoever drove it has left it interrupted.
 */
export async function* followJournal(options: FollowOptions): AsyncGenerator<CollabEvent> {
  for await (const events of followJournalInBatches(options)) yield* events;
}

/** As many records at once as are there, of a long journal a part after the other; an empty batch says that no more are there yet. */
export async function* followJournalInBatches(
  options: FollowOptions,
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
    // Who finds it so waits for the next to drive it. The second look: it may only change hands.
    const isInterrupted = isLive && (told === 'running' || told === 'interrupted');
    looksAtInterrupted = isInterrupted ? looksAtInterrupted + 1 : 0;
    return looksAtInterrupted > 1;
  }

  try {
    while (!signal.aborted) {
      const read = await more();
      const isOver = read.length === 0 && (await isLeft());
      // What was written after the reading and before it was left.
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
