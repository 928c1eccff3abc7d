/** Reads a journal that somebody else is writing. */
import type { CollabEvent } from '../events/collab-event.ts';
import type { Clock } from '../process/clock.ts';
import { watchFolder } from './folder-watch.ts';
import { openGrowingFile } from './growing-file.ts';
import { journalFile } from './journal.ts';
import { parseLines } from './journal-reader.ts';

export interface FollowOptions {
  readonly runFolder: string;
  readonly clock: Clock;
  /** The seq after which to begin; 0 gives the whole journal. */
  readonly after?: number;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

/** Yields each record once, in order, as it is written; ends after `run.ended` or when the signal says so. */
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
  let lines = 0;
  try {
    while (!signal.aborted) {
      const events = parseLines(path, await file.nextLines(), lines);
      lines += events.length;
      yield events.filter(({ seq }) => seq > after);
      if (events.at(-1)?.type === 'run.ended') return;
      if (events.length === 0) await watch.change(signal);
    }
  } finally {
    watch.close();
    await file.close();
  }
}
