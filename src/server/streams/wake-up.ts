/** Wakes all waiters when something has arrived. */
export interface Arrivals {
  tell(): void;
  /** Resolves at the next `tell`, or when `signal` fires. */
  next(signal: AbortSignal): Promise<void>;
}

export function createArrivals(): Arrivals {
  let waiting = new Set<() => void>();
  return {
    tell() {
      const told = waiting;
      waiting = new Set();
      for (const wake of told) wake();
    },
    next(signal) {
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
