/** Waits for other processes to write into a folder. */
import { watch, type FSWatcher } from 'node:fs';
import type { Clock } from './clock.ts';

/** The system reports changes, but on some file systems not all of them. */
const watchedPollMs = 1000;
/** The deltas of a run are coalesced over the same time. */
const pollMs = 50;

export function watchFolder(folder: string, clock: Clock) {
  let changed = false;
  let wake = nothing;
  const tell = (): void => {
    changed = true;
    wake();
  };
  let watcher = startWatching(folder, tell);
  watcher?.on('error', () => {
    watcher?.close();
    watcher = null;
  });

  return {
    /** Resolves after a write since the last call, after a while in any case, and when `signal` fires. */
    async change(signal: AbortSignal): Promise<void> {
      // Not `AbortSignal.any`: its signal is not freed as long as a long-lived source signal exists.
      const waiting = new AbortController();
      wake = () => waiting.abort();
      signal.addEventListener('abort', wake);
      if (changed || signal.aborted) wake();
      try {
        await clock.sleep(watcher === null ? pollMs : watchedPollMs, waiting.signal);
      } catch (error) {
        if (!waiting.signal.aborted) throw error;
      } finally {
        signal.removeEventListener('abort', wake);
        changed = false;
        wake = nothing;
      }
    },
    /** Acts as if something had been written. */
    tell,
    close: (): void => watcher?.close(),
  };
}

/** Returns null if the system has no watches left or the folder does not exist. */
function startWatching(folder: string, onChange: () => void): FSWatcher | null {
  try {
    return watch(folder, { persistent: false }, onChange);
  } catch {
    return null;
  }
}

function nothing(): void {}
