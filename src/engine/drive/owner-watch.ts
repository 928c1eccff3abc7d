/** Hears when whoever drives a run lets go of it. The kernel says so, also of a process that was killed. */
import { waitForOwner, type OutsideOptions } from './other-process.ts';
import { findOwner } from '../lock/lock.ts';

export interface DriverWatch {
  isDriven(): Promise<boolean>;
  close(): void;
}

/** Calls `onLeft` each time that a run which was found driven is let go of. */
export function watchDriver(run: OutsideOptions, onLeft: () => void): DriverWatch {
  const closing = new AbortController();
  let isHeard = false;

  async function hear(): Promise<void> {
    // What is wrong with the folder is found by who looks next.
    await waitForOwner(run, closing.signal).catch(() => undefined);
    isHeard = false;
    onLeft();
  }

  return {
    async isDriven() {
      if (isHeard) return true;
      if ((await findOwner(run.runFolder)) === null) return false;
      isHeard = true;
      void hear();
      return true;
    },
    close: () => closing.abort(),
  };
}
