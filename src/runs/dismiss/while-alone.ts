/** One process at a time reads and writes the files of dismissals. */
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { waitForOwner } from '../../engine/drive/other-process.ts';
import { takeLock, type RunLock } from '../../engine/lock/lock.ts';
import type { Clock } from '../../system/clock.ts';
import { namesIn } from '../../system/files/read.ts';
import { remove } from '../../system/files/write.ts';

export interface AloneOptions {
  /** Holds the lock, and nothing else. */
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Waits for another process that does the same. @throws CollabError `locked` when `signal` fires; as `work` */
export async function whileAlone<Result>(options: AloneOptions, work: () => Result): Promise<Result> {
  const lock = await lockSoon(options);
  try {
    removeFormer(options.folder);
    return work();
  } finally {
    await lock.release();
  }
}

async function lockSoon({ folder, clock, signal }: AloneOptions): Promise<RunLock> {
  for (;;) {
    try {
      return await takeLock(folder);
    } catch (error) {
      if (!(error instanceof CollabError) || error.code !== 'locked' || signal.aborted) throw error;
      await waitForOwner({ runFolder: folder, clock }, signal);
    }
  }
}

/** Only the highest generation counts, and it is ours. */
function removeFormer(folder: string): void {
  const numbers = namesIn(folder).flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? []);
  const ours = Math.max(...numbers.map(Number));
  for (const number of numbers) if (Number(number) < ours) remove(join(folder, `lock.${number}`));
}
