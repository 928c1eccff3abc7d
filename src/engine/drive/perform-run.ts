/** The embedded engine: one process drives a run over its journal, holding the run's lock (DESIGN §5). */
import type { DriveOptions } from './perform-options.ts';
import { RunDriver } from './run-driver.ts';
import type { Departure } from '../types.ts';
import { openJournal } from '../journal/journal.ts';
import { takeLock } from '../lock/lock.ts';

/**
 * Drives a new run, goes on with an unfinished one, or replays one that has ended.
 *
 * @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`, or whatever `body` throws
 */
export async function driveRun<Result>(options: DriveOptions<Result>): Promise<Departure<Result>> {
  if (options.signal.aborted) return { kind: 'interrupted', reason: 'signal' };
  const lock = await takeLock(options.runFolder);
  try {
    const journal = openJournal(options);
    try {
      const driver = new RunDriver(options, journal, lock);
      lock.onRequest((request) => driver.reply(request));
      const departure = await driver.drive();
      await options.onDeparture?.(departure);
      return departure;
    } finally {
      journal.close();
    }
  } finally {
    await lock.release();
  }
}
