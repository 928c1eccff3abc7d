import type { ToolCallPart, ToolResultPart } from '../providers/contract/model.ts';

/** Counts consecutive failures of the same call (X004-7). */
export function createFailureCount() {
  let [last, times] = ['', 0];
  return {
    /** Returns how often the last call has failed in a row; 0 if it succeeded. */
    count(calls: readonly ToolCallPart[], results: readonly ToolResultPart[]): number {
      for (const [index, { name, args }] of calls.entries()) {
        const call = JSON.stringify([name, args]);
        times = results[index]?.is_error === true ? (call === last ? times + 1 : 1) : 0;
        last = call;
      }
      return times;
    },
  };
}
