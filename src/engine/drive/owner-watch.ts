/** Watches for the driver of a run to release it. The kernel reports this, even for a killed process. */
import type { EngineStore } from '../store/engine-store.ts';
import { waitForOwner, type OutsideOptions } from './other-process.ts';

/** Calls `onLeft` each time a driver releases the run. */
export function watchDriver(run: OutsideOptions & { readonly store: EngineStore }, onLeft: () => void) {
  const closing = new AbortController();
  let isHeard = false;

  async function hear(): Promise<void> {
    // The next reader finds any fault of the store.
    await waitForOwner(run, closing.signal).catch(() => undefined);
    isHeard = false;
    onLeft();
  }

  return {
    async isDriven(): Promise<boolean> {
      if (isHeard) return true;
      if (!(await run.store.isOwned(run.runFolder))) return false;
      isHeard = true;
      void hear();
      return true;
    },
    close: (): void => closing.abort(),
  };
}
