/** Wakes all waiters when something has arrived. */
export function createArrivals() {
  let waiting = new Set<() => void>();
  return {
    tell(): void {
      const told = waiting;
      waiting = new Set();
      for (const wake of told) wake();
    },
    /** Resolves at the next `tell`, or when `signal` fires. */
    next(signal: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        if (signal.aborted) {
          resolve();
          return;
        }
        const wake = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', leave);
      });
    },
  };
}
