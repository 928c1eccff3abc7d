export interface SearchTime {
  /** Returns true when the time is up. @throws the signal's reason if it is aborted */
  isOver(): boolean;
}

const searchLimitMs = 10_000;

/** Limits the time of one search over many files. */
export function createSearchTime(signal: AbortSignal): SearchTime {
  const limit = AbortSignal.timeout(searchLimitMs);
  return {
    isOver() {
      signal.throwIfAborted();
      return limit.aborted;
    },
  };
}
