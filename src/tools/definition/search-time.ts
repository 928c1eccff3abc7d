export interface SearchTime {
  /** @throws the signal's reason when that is aborted */
  isOver(): boolean;
}

const searchLimitMs = 10_000;

/** How long one search over many files may take. */
export function createSearchTime(signal: AbortSignal): SearchTime {
  const limit = AbortSignal.timeout(searchLimitMs);
  return {
    isOver() {
      signal.throwIfAborted();
      return limit.aborted;
    },
  };
}
