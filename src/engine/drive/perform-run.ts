/** Drives a run: one process claims it in its store, performs it and releases it. */
import type { PerformOptions } from './perform-options.ts';
import { RunDriver } from './run-driver.ts';
import type { Departure } from '../port.ts';
import { embeddedStore } from '../store/embedded-store.ts';

/**
 * Drives a new run, continues an unfinished one, or replays one that has ended.
 *
 * @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`, or any error of `body`
 */
export async function performRun<Result>(options: PerformOptions<Result>): Promise<Departure<Result>> {
  if (options.signal.aborted) return { kind: 'interrupted', reason: 'signal' };
  const { runFolder, envelope, clock, onCommit, store = embeddedStore } = options;
  const claim = await store.claim({ runFolder, envelope, clock, onCommit });
  try {
    const driver = new RunDriver(options, claim);
    claim.onRequest((request) => driver.reply(request));
    const departure = await driver.drive();
    await options.onDeparture?.(departure);
    return departure;
  } finally {
    await claim.release();
  }
}
