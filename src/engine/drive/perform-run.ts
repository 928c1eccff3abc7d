/** The embedded engine: one process drives a run over its journal and holds the run's lock. */
import type { PerformOptions } from './perform-options.ts';
import { RunDriver } from './run-driver.ts';
import type { Departure } from '../port.ts';
import { openJournal } from '../journal/journal.ts';
import { takeLock } from '../lock/lock.ts';

/**
 * Drives a new run, continues an unfinished one, or replays one that has ended.
 *
 * @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`, or any error of `body`
 */
export async function performRun<Result>(options: PerformOptions<Result>): Promise<Departure<Result>> {
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
